import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MatchRound } from "./match-round.ts";

/** The value represents all machines that have idle rows. */
export const anyIdle = "idle";

/** A reserved machine has no idle row, so the id names it. */
export function refusedFor({ id, reservedSessionId }: Machine): readonly string[] {
  return [reservedSessionId === null ? anyIdle : id];
}

/**
 * In a full organization, the next end of an execution is an event that serves the refused machines, so its runs can be
 * skipped without a loss. Machines refused in the same way share one write.
 */
export async function isFullFor(
  { matches }: Pick<MatchDeps, "matches">,
  round: MatchRound,
  organizationId: OrganizationId,
  refused: readonly string[],
  since: number,
): Promise<boolean> {
  if (!round.isFull(organizationId)) return false;
  const key = `${organizationId} full ${refused.join(" ")}`;
  const { value } = await round.reads.read(key, since, () => matches.noteRefused(organizationId, refused));
  round.setFull(organizationId, value);
  return value;
}
