import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MatchRound } from "./match-round.ts";

/** Among those refused: all machines that have idle rows. */
export const anyIdle = "idle";

/** Whom the next end of an execution is to serve when that machine could not begin one: a reserved one has no idle row. */
export function refusedFor({ id, reservedSessionId }: Machine): readonly string[] {
  return [reservedSessionId === null ? anyIdle : id];
}

/**
 * Whether the service carries out as many of the organization's runs as it may, as far as the round knows; one write,
 * which those refused in the same way share.
 *
 * When it is so, the next end of one is an event that serves them, so nothing is lost by passing over its runs.
 *
 * @param since it must have been so since then.
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
