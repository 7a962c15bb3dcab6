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

/** Runs for which there is no place can be skipped without a loss, because a free place is an event. */
export async function isFullFor(
  deps: Pick<MatchDeps, "matches" | "servicePlaces">,
  round: MatchRound,
  organizationId: OrganizationId,
  refused: readonly string[],
  since: number,
): Promise<boolean> {
  if (await isOrganizationFull(deps, round, organizationId, refused, since)) return true;
  if (!round.isServiceFull) return false;
  const { servicePlaces } = deps;
  // An organization whose turn is over is still in the line.
  if (servicePlaces === undefined || round.isTurnOver) return true;
  const key = `${organizationId} in line ${refused.join(" ")}`;
  await round.reads.read(key, since, () => servicePlaces.join(organizationId, refused));
  return true;
}

/**
 * In a full organization, the next end of an execution is an event that serves the refused machines. Machines refused in
 * the same way share one write.
 */
async function isOrganizationFull(
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
