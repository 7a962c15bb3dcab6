import type { Run } from "../run.ts";

/** A run waits for the first that it has: a session, a named machine, machines in all of its pools, any machine. */
export type Target =
  | { readonly kind: "session"; readonly sessionId: string }
  | { readonly kind: "machine"; readonly machineId: string }
  /** The ids are sorted, and there is at least one. */
  | { readonly kind: "pools"; readonly poolIds: readonly string[] }
  | { readonly kind: "any" };

export function targetOfRun(run: Pick<Run, "sessionId" | "namedMachineId" | "poolIds">): Target {
  if (run.sessionId !== null) return { kind: "session", sessionId: run.sessionId };
  return placementOf({ machineId: run.namedMachineId, poolIds: run.poolIds });
}

/** A pending session waits for a machine to reserve; its runs wait in the session itself. */
export function placementOf(wish: {
  readonly machineId: string | null;
  readonly poolIds: readonly string[];
}): Target {
  if (wish.machineId !== null) return { kind: "machine", machineId: wish.machineId };
  if (wish.poolIds.length > 0) return { kind: "pools", poolIds: [...new Set(wish.poolIds)].sort() };
  return { kind: "any" };
}

/** The order of pools does not change the text. */
export function targetText(target: Target): string {
  switch (target.kind) {
    case "session":
      return `session ${target.sessionId}`;
    case "machine":
      return `machine ${target.machineId}`;
    case "pools":
      return `pools ${target.poolIds.join(" ")}`;
    case "any":
      return "any";
  }
}
