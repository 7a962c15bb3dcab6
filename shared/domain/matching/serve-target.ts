import { hashOf } from "../hash-of.ts";
import type { OrganizationId } from "../organization-id.ts";
import { type IdleMachine, idOf, isRunEntry, mayTake, type QueueEntry } from "../run/waiting/queue-entry.ts";
import type { Target } from "../run/waiting/target.ts";
import { endSessionQueue } from "./cancel-waiting.ts";
import type { MatchDeps } from "./match-deps.ts";
import { atOnceMax, IdleRowsLeft, type MatchRound } from "./match-round.ts";
import type { Expected } from "./place-entry.ts";
import { entryOfSession } from "./queue-places.ts";
import { serveMachine } from "./serve-machine.ts";

/** Finds machines for the entries until none waits or no machine is left. @throws {OutOfTime} or {IdleRowsLeft} */
export async function serveTarget(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  target: Target,
  entries: readonly QueueEntry[],
  idleAfter?: string,
): Promise<void> {
  switch (target.kind) {
    case "machine":
      await serveMachine(deps, round, { organizationId, machineId: target.machineId });
      return;
    case "session":
      return await serveSession(deps, round, organizationId, target.sessionId);
    case "pools":
      return await serveIdle(deps, round, organizationId, target.poolIds, entries, idleAfter);
    case "any":
      return await serveIdle(deps, round, organizationId, [], entries, idleAfter);
  }
}

/** @throws {OutOfTime} */
export async function serveSession(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<void> {
  round.requireTime();
  const { session } = await deps.matches.sessionQueue(organizationId, sessionId, 1);
  switch (session?.status) {
    case "pending": {
      const place = entryOfSession(session);
      return await serveTarget(deps, round, organizationId, place.target, [place]);
    }
    case "active": {
      if (session.machineId === null) return;
      await serveMachine(deps, round, { organizationId, machineId: session.machineId });
      return;
    }
    case "ended":
      return await endSessionQueue(deps, round, organizationId, sessionId);
    case undefined:
      return;
  }
}

/** A round reads this many idle rows for one target; few of a pool's machines may be in the others that a run names. */
const idleRowsMax = 256;
/** Pages are small, since most waiting runs need only one machine and can use any of those found. */
const idleRowsOfPage = 16;

/** Serves as many machines at once as entries were queued; a machine that finds nothing means that none is left. */
async function serveIdle(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  poolIds: readonly string[],
  entries: readonly QueueEntry[],
  idleAfter: string | undefined,
): Promise<void> {
  const expected = readExpected(deps, entries);
  const idle = idleMachines(deps, round, organizationId, { poolIds, entries, from: idleAfter });
  let isEmpty = false;
  const left = () => entries.filter((entry) => !round.isPlaced(entry));
  const work = async (): Promise<void> => {
    while (!isEmpty && left().length > 0) {
      const placing = left().map((entry) => round.placingOf(entry));
      // A further machine would find nothing, unless one of these fails.
      if (!placing.includes(undefined)) {
        await Promise.all(placing);
        continue;
      }
      const next = await idle.next();
      if (next.done === true) return;
      const { machineId } = next.value;
      const input = { organizationId, machineId, idleRow: next.value, expected };
      const served = await serveMachine(deps, round, input);
      if (served.kind !== "idle" || !left().every((entry) => mayTake(machineId, entry))) continue;
      if (poolIds.every((poolId) => served.machine.poolIds.includes(poolId))) isEmpty = true;
    }
  };
  const working = Array.from({ length: Math.min(atOnceMax, entries.length) }, work);
  // Nothing may continue after a failure, nor after the end.
  await Promise.allSettled([...working, expected]);
  await Promise.all(working);
}

/**
 * Reads the run beside the idle machines. Only a single entry is read ahead, because every machine would read the first
 * of several. A step of a chain is read after its queue, so that the step before it has begun. A failure is met again
 * where the entry is placed.
 */
async function readExpected(
  { matches }: MatchDeps,
  entries: readonly QueueEntry[],
): Promise<Expected | undefined> {
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0 || !isRunEntry(entry)) return undefined;
  if (entry.waiting.chainId !== null) return undefined;
  const candidate = await matches.candidate(entry).catch(() => undefined);
  return candidate && { entry, candidate };
}

/** Each entry has an order of its own, so that several matchers do not meet at the same machines. */
function inOrderOf(entry: QueueEntry | undefined) {
  const place = ({ machineId }: IdleMachine) =>
    hashOf(`${entry === undefined ? "" : idOf(entry)} ${machineId}`);
  return (left: IdleMachine, right: IdleMachine) => place(left) - place(right);
}

interface IdleRows {
  readonly poolIds?: readonly string[];
  readonly entries?: readonly QueueEntry[];
  readonly from: string | undefined;
  readonly rowsMax?: number;
}

/** @throws {OutOfTime} or {IdleRowsLeft} */
export async function* idleMachines(
  { matches }: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  { poolIds = [], entries = [], from, rowsMax = idleRowsMax }: IdleRows,
): AsyncGenerator<IdleMachine, void> {
  const poolId = await matches.smallestPool(organizationId, poolIds);
  const order = inOrderOf(entries[0]);
  const limit = poolIds.length > 1 ? idleRowsMax : Math.min(idleRowsMax, idleRowsOfPage + 4 * entries.length);
  let read = 0;
  for (let after = from; ; ) {
    round.requireTime();
    if (after !== undefined && read >= rowsMax) throw new IdleRowsLeft(after);
    const page = await matches.idlePage(organizationId, poolId, limit, after);
    read += page.machines.length;
    yield* page.machines.filter((row) => poolIds.every((id) => row.poolIds.includes(id))).sort(order);
    after = page.next;
    if (after === undefined) return;
  }
}
