import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import { inQueueOrder, mayTake } from "../run/waiting/queue-entry.ts";
import { type Target, targetText } from "../run/waiting/target.ts";
import { hindranceOf } from "../run/waiting/waiting-reason.ts";
import type { Session } from "../session/session.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MatchRound } from "./match-round.ts";
import type { MachineQueue, PoolSet, QueuedEntry } from "./match-store.ts";
import type { SharedRead } from "./shared-reads.ts";

/** An invocation places fewer entries than this concurrently, so that one is left for each machine. */
export const entriesMax = 12;
const sharedEntriesMax = 48;

export type Candidates =
  /** The machine cannot take a run, or does not exist. */
  | { readonly kind: "hindered"; readonly machine: Machine | undefined }
  /** The machine is reserved for a session that has ended or has another machine. */
  | { readonly kind: "reserved_in_vain"; readonly machine: Machine; readonly sessionId: string }
  | Found;

export interface FindCandidatesInput {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly since: number;
  /** Pools in which the machine was noted as idle: it is probably free, so its queues are read beside it. */
  readonly notedIn: readonly string[] | undefined;
}

export interface Found {
  readonly kind: "found";
  readonly machine: Machine;
  readonly session: Session | undefined;
  readonly entries: readonly QueuedEntry[];
  readonly isCut: boolean;
  readonly emptySets: readonly PoolSet[];
}

/** Makes one query for the machine with its own queue, one per other queue, and one for the pool sets in use. */
export async function findCandidates(
  { matches }: Pick<MatchDeps, "matches">,
  round: Pick<MatchRound, "reads">,
  { organizationId, machineId, since, notedIn }: FindCandidatesInput,
): Promise<Candidates> {
  const shared = sharedReads(matches, round, organizationId, since);
  const [own] = await Promise.all([
    matches.machineQueue(organizationId, machineId, entriesMax),
    notedIn && readQueues(shared, notedIn),
  ]);
  const { machine } = own;
  if (machine === undefined || hindranceOf(machine) !== undefined) return { kind: "hindered", machine };
  return machine.reservedSessionId === null
    ? await inItsQueues(shared, machine, own)
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

interface Shared {
  readonly queue: (target: Target, after?: number) => Promise<readonly QueuedEntry[]>;
  readonly poolSets: () => Promise<SharedRead<readonly PoolSet[]>>;
}

function sharedReads(
  matches: MatchDeps["matches"],
  { reads }: Pick<MatchRound, "reads">,
  organizationId: OrganizationId,
  since: number,
): Shared {
  return {
    queue: async (target, after = 0) => {
      const read = () => matches.queue(organizationId, target, sharedEntriesMax);
      const key = `${organizationId} ${targetText(target)}`;
      return (await reads.read(key, Math.max(since, after), read)).value;
    },
    poolSets: () => reads.read(`${organizationId} sets`, since, () => matches.poolSets(organizationId)),
  };
}

async function readQueues(shared: Shared, poolIds: readonly string[]) {
  return await Promise.all([shared.queue({ kind: "any" }), inItsPools(shared, poolIds)]);
}

async function inItsQueues(shared: Shared, machine: Machine, own: MachineQueue): Promise<Found> {
  const [any, ofPools] = await readQueues(shared, machine.poolIds);
  const queues = [any, ...ofPools.map(({ entries }) => entries)];
  return {
    kind: "found",
    machine,
    session: undefined,
    entries: [...own.entries, ...queues.flat()]
      .filter((entry) => mayTake(machine.id, entry))
      .sort(inQueueOrder),
    isCut: isFull(own.entries) || queues.some(({ length }) => length >= sharedEntriesMax),
    emptySets: ofPools.filter(({ entries }) => entries.length === 0).map(({ set }) => set),
  };
}

const setsAtOnce = 8;

async function inItsPools(
  shared: Shared,
  poolIds: readonly string[],
): Promise<readonly { readonly set: PoolSet; readonly entries: readonly QueuedEntry[] }[]> {
  if (poolIds.length === 0) return [];
  const { value: known, startedAt } = await shared.poolSets();
  const sets = known.filter((set) => set.poolIds.every((id) => poolIds.includes(id)));
  const found: { readonly set: PoolSet; readonly entries: readonly QueuedEntry[] }[] = [];
  for (let start = 0; start < sets.length; start += setsAtOnce) {
    const some = sets.slice(start, start + setsAtOnce);
    const queues = some.map(async (set) => {
      const target = { kind: "pools", poolIds: set.poolIds } as const;
      // The queue is read after its set, which is removed when nothing waits for it.
      return { set, entries: await shared.queue(target, startedAt) };
    });
    found.push(...(await Promise.all(queues)));
  }
  return found;
}

function isFull(entries: readonly QueuedEntry[]): boolean {
  return entries.length >= entriesMax;
}
