import type { OrganizationId } from "../organization-id.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MatchRound } from "./match-round.ts";
import { anyIdle, isFullFor } from "./organization-limit.ts";
import { serveMachine } from "./serve-machine.ts";
import { idleMachines } from "./serve-target.ts";

/** A round serves this many idle machines; the others get an event of their own. */
const idleRowsMax = 64;

/**
 * Serves the refused machines, or idle ones, until the organization is full again. They are served one after another,
 * because most often one execution has ended and one more can begin.
 *
 * @returns the refused that were not served. @throws {OutOfTime} or {IdleRowsLeft}
 */
export async function serveRefused(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  refused: readonly string[],
  idleAfter: string | undefined,
): Promise<readonly string[]> {
  const left = new Set(refused);
  for (const machineId of refused.filter((one) => one !== anyIdle)) {
    if (await isFullFor(deps, round, organizationId, [...left], 0)) return [...left];
    await serveMachine(deps, round, { organizationId, machineId });
    left.delete(machineId);
  }
  if (!left.has(anyIdle)) return [];
  const idle = idleMachines(deps, round, organizationId, { from: idleAfter, rowsMax: idleRowsMax });
  for await (const idleRow of idle) {
    if (await isFullFor(deps, round, organizationId, [anyIdle], 0)) return [anyIdle];
    await serveMachine(deps, round, { organizationId, machineId: idleRow.machineId, idleRow });
  }
  return (await isFullFor(deps, round, organizationId, [anyIdle], 0)) ? [anyIdle] : [];
}
