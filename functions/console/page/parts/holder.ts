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
