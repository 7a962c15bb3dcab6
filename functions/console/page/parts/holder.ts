import type { CallerFacts } from "../../../../shared/contract/api-key.ts";
import type { Run } from "../../../../shared/contract/run/run.ts";

/** A key's id is shown with hyphens, and without them where a machine or a hold names it. */
export function isSameId(one: string, other: string): boolean {
  return one.replaceAll("-", "") === other.replaceAll("-", "");
}

/** Says that the credentials are those of the holder, who alone acts on the desktop. */
export function isHolder(
  { by }: Pick<NonNullable<Run["held"]>, "by">,
  { kind, api_key_id, user_id }: CallerFacts,
): boolean {
  if (by.id === null) return false;
  return by.kind === "key"
    ? api_key_id !== null && isSameId(by.id, api_key_id)
    : kind === "session" && by.id === user_id;
}

/** A key with the scope admin may take over what another one holds; a dashboard session always has that scope. */
export function mayTakeOver({ kind, scopes }: Pick<CallerFacts, "kind" | "scopes">): boolean {
  return kind === "api_key" && scopes.includes("admin");
}

/** Such as "you", or "the API key 0198…", after "held by". */
export function holderWords({ by }: Pick<NonNullable<Run["held"]>, "by">, caller: CallerFacts): string {
  if (by.kind === "model") return "the run’s model, which asks for a person";
  if (isHolder({ by }, caller)) return "you";
  return by.kind === "key" ? `the API key ${by.id}` : `the person ${by.id}`;
}
