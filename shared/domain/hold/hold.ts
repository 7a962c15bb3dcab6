import type { HolderKind } from "../../vocabulary/holds.ts";
import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";

export interface Holder {
  readonly kind: HolderKind;
  /** The id of the API key or of the session's user; null for a model. */
  readonly id: string | null;
}

/** Only the holder acts on the desktop, until the hold ends. */
export interface Hold {
  readonly by: Holder;
  readonly reason: string | null;
  /** The time since which the run stands still, whoever has held it since. */
  readonly since: string;
  readonly until: string;
}

/** Exactly one of the ids is there: a machine is held for a run that stands still, or for a recording. */
export interface MachineHold extends Hold {
  readonly runId: string | null;
  readonly recordingId: string | null;
}

export function holderOf({ kind, keyId, userId }: Caller): Holder {
  return kind === "api_key" ? { kind: "key", id: keyId } : { kind: "user", id: userId };
}

/** An expired hold keeps nobody away, though its run stands still until its executor has seen to it. */
export function isInForce({ until }: Pick<Hold, "until">, nowMs: number): boolean {
  return Date.parse(until) > nowMs;
}

export function isHolder({ by }: Pick<Hold, "by">, caller: Caller): boolean {
  const { kind, id } = holderOf(caller);
  return by.kind === kind && by.id === id;
}

/** A dashboard session has the scope `admin` as well, and would otherwise take every hold of a colleague. */
export function mayTakeOver({ kind, scopes }: Pick<Caller, "kind" | "scopes">): boolean {
  return kind === "api_key" && scopes.includes("admin");
}

export function machineHeld({ by, until }: Pick<Hold, "by" | "until">, what: string): DomainError {
  const who = by.kind === "model" ? "by its model, which asks for a person" : `by the ${by.kind} ${by.id}`;
  const way =
    by.kind === "model"
      ? "hold it to drive the desktop"
      : "nothing was done; a key with the scope admin may take it over by holding it";
  return new DomainError("machine_held", `${what} is held ${who}, until ${until}: ${way}`, {
    details: { by, until },
    nothingDone: true,
  });
}
