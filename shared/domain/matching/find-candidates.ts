import type { OrganizationId } from "../access/organization-id.ts";
import type { Machine } from "../machine/machine.ts";
import type { Session } from "../run/run.ts";
import { hindranceOf } from "./eligibility.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MachineQueue, PoolSet, QueuedEntry } from "./match-store.ts";
import { byAge } from "./queue-entry.ts";

/** More than one invocation places concurrently, so that one is left for each machine. */
export const entriesMax = 12;

export type Candidates =
  /** It cannot take a run; undefined: no such machine. */
  | { readonly kind: "hindered"; readonly machine: Machine | undefined }
  /** It is reserved for a session that has ended or has another machine. */
  | { readonly kind: "reserved_in_vain"; readonly machine: Machine; readonly sessionId: string }
  | Found;

export interface Found {
  readonly kind: "found";
  readonly machine: Machine;
  /** The session that the machine is reserved for. */
  readonly session: Session | undefined;
  /** The entries that it could take, oldest first. */
  readonly entries: readonly QueuedEntry[];
  /** There may be more. */
  readonly isCut: boolean;
  /** Pool sets that nothing waits for. */
  readonly emptySets: readonly PoolSet[];
}

/** What a machine could take now: one query per queue that it serves, and one for the pool sets in use. */
export async function findCandidates(
  { matches }: Pick<MatchDeps, "matches">,
  organizationId: OrganizationId,
  machineId: string,
): Promise<Candidates> {
  const own = await matches.machineQueue(organizationId, machineId, entriesMax);
  const { machine } = own;
  if (machine === undefined || hindranceOf(machine) !== undefined) return { kind: "hindered", machine };
  return machine.reservedSessionId === null
    ? await inItsQueues(matches, machine, own)
    : await inItsSession(matches, machine, machine.reservedSessionId);
}

async function inItsSession(
  matches: MatchDeps["matches"],
  machine: Machine,
  sessionId: string,
): Promise<Candidates> {
  const { session, entries } = await matches.sessionQueue(machine.organizationId, sessionId, entriesMax);
  const isHere =
    session !== undefined &&
    session.status !== "ended" &&
    (session.machineId === null || session.machineId === machine.id);
  if (!isHere) return { kind: "reserved_in_vain", machine, sessionId };
  return { kind: "found", machine, session, entries, isCut: isFull(entries), emptySets: [] };
}

async function inItsQueues(
  matches: MatchDeps["matches"],
  machine: Machine,
  own: MachineQueue,
): Promise<Found> {
  const { organizationId, poolIds } = machine;
  const [any, ofPools] = await Promise.all([
    matches.queue(organizationId, { kind: "any" }, entriesMax),
    inItsPools(matches, organizationId, poolIds),
  ]);
  const queues = [own.entries, any, ...ofPools.map(({ entries }) => entries)];
  return {
    kind: "found",
    machine,
    session: undefined,
    entries: queues.flat().sort(byAge),
    isCut: queues.some(isFull),
    emptySets: ofPools.filter(({ entries }) => entries.length === 0).map(({ set }) => set),
  };
}

/** Concurrent queries of pool sets. */
const setsAtOnce = 8;

async function inItsPools(
  matches: MatchDeps["matches"],
  organizationId: OrganizationId,
  poolIds: readonly string[],
): Promise<readonly { readonly set: PoolSet; readonly entries: readonly QueuedEntry[] }[]> {
  if (poolIds.length === 0) return [];
  const sets = await matches.poolSetsWithin(organizationId, poolIds);
  const found: { readonly set: PoolSet; readonly entries: readonly QueuedEntry[] }[] = [];
  for (let start = 0; start < sets.length; start += setsAtOnce) {
    const some = sets.slice(start, start + setsAtOnce);
    const queues = some.map(async (set) => {
      const target = { kind: "pools", poolIds: set.poolIds } as const;
      return { set, entries: await matches.queue(organizationId, target, entriesMax) };
    });
    found.push(...(await Promise.all(queues)));
  }
  return found;
}

function isFull(entries: readonly QueuedEntry[]): boolean {
  return entries.length >= entriesMax;
}
