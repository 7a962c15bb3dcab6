import { ChangedTooOften, DomainError } from "../errors.ts";
import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { IdleMachine, QueueEntry } from "../run/waiting/queue-entry.ts";
import { hindranceOf, isSameSet } from "../run/waiting/waiting-reason.ts";
import { type Found, findCandidates } from "./find-candidates.ts";
import type { MatchDeps } from "./match-deps.ts";
import { type MatchRound, OutOfTime } from "./match-round.ts";
import { type Expected, placeEntry, type Taker } from "./place-entry.ts";
import { StepOrder } from "./step-order.ts";

export type Served =
  | { readonly kind: "assigned" }
  /** Any run of the machine's pools would do, and none waits. */
  | { readonly kind: "idle"; readonly machine: Machine }
  /** The machine cannot take a run now, or only those of a session. */
  | { readonly kind: "unfit" };

export interface ServeMachineInput {
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly idleRow?: IdleMachine | undefined;
  /** The run that it will probably get. */
  readonly expected?: Promise<Expected | undefined> | undefined;
}

/** One machine needs far fewer reads; a repeat continues. */
const readsMax = 100;

/**
 * Assigns the machine the oldest run that it may have. Without one, it marks the machine as idle and reads the queues
 * again: a run queued meanwhile is found by that read, or its own event comes after the idle row and finds the machine.
 *
 * @throws {OutOfTime}
 */
export async function serveMachine(
  deps: MatchDeps,
  round: MatchRound,
  input: ServeMachineInput,
): Promise<Served> {
  return await round.serving(input.organizationId, input.machineId, () => serve(deps, round, input));
}

async function serve(
  deps: MatchDeps,
  round: MatchRound,
  { organizationId, machineId, idleRow, expected }: ServeMachineInput,
): Promise<Served> {
  const { matches } = deps;
  let noted = idleRow?.poolIds;
  // All events of a round are older than its reads.
  let since = 0;
  for (let look = 0; look < readsMax; look += 1) {
    round.requireShare(organizationId);
    const [found, early] = await Promise.all([
      findCandidates(deps, round, { organizationId, machineId, since, notedIn: noted }),
      look === 0 ? expected : undefined,
    ]);
    if (found.kind === "hindered") {
      const gone = { organizationId, id: machineId, poolIds: [] };
      // A machine with a run has no rows: the assignment removed them.
      if (found.machine && hindranceOf(found.machine) === "busy") return { kind: "unfit" };
      if (await matches.unmarkIdle(found.machine ?? gone)) return { kind: "unfit" };
      continue;
    }
    const { machine } = found;
    if (found.kind === "reserved_in_vain") {
      // The release is a stream event that serves the machine again.
      await matches.releaseReservation(organizationId, machineId, found.sessionId);
      return { kind: "unfit" };
    }
    const result = await placeOldest(deps, round, { ...found, since, expected: early });
    if (result === "assigned") return { kind: "assigned" };
    if (result === "overtaken") continue;
    if (result === "read_again") {
      since = round.reads.now();
      continue;
    }
    if (found.session !== undefined) {
      if (await matches.unmarkIdle(machine)) return { kind: "unfit" };
      continue;
    }
    if (noted !== undefined && isSameSet(noted, machine.poolIds)) return { kind: "idle", machine };
    if (!(await noteIdle(deps, found))) continue;
    noted = machine.poolIds;
    since = round.reads.now();
  }
  throw new ChangedTooOften("the machine");
}

/**
 * An entry that fails must not block others, whose stream records would wait while it is retried. It is tried again
 * when its queue is next served, at the latest by the sweeper.
 */
async function placeOldest(
  deps: MatchDeps,
  round: MatchRound,
  found: Found & Taker,
): Promise<"assigned" | "overtaken" | "read_again" | "nothing"> {
  const elsewhere: Promise<boolean>[] = [];
  let hasRemoved = false;
  let wasFaster = false;
  const steps = new StepOrder();
  const { entries, machine, session } = found;
  for (const entry of session === undefined ? round.inTurn(entries, machine.id) : entries) {
    if (steps.isBehind(entry)) continue;
    // The entry was placed since it was read, and trying it would waste two calls.
    if (round.isPlaced(entry)) {
      wasFaster = true;
      steps.passOver(entry);
      continue;
    }
    const others = round.placingOf(entry);
    if (others !== undefined) {
      elsewhere.push(others);
      steps.passOver(entry);
      continue;
    }
    round.requireShare(entry.organizationId);
    const place = () => placeEntry(deps, round, found, entry);
    const placing = round.placing(entry, place, (outcome) => outcome === "assigned" || outcome === "gone");
    const placed = await placing.catch((cause: unknown) => {
      if (!isOfEntryAlone(cause)) throw cause;
      noteFailure(deps, found, entry, cause);
      return "waits" as const;
    });
    if (placed === "assigned") return "assigned";
    if (placed === "overtaken") return "overtaken";
    // The candidates are out of date.
    if (placed === "gone") return "read_again";
    if (placed !== "removed") {
      steps.passOver(entry);
      continue;
    }
    hasRemoved = true;
    round.countEntries(entry.organizationId, 1);
  }
  const wasTaken = await Promise.all(elsewhere);
  const isMore = hasRemoved || ((wasFaster || elsewhere.length > 0) && found.isCut);
  return isMore || wasTaken.includes(false) ? "read_again" : "nothing";
}

/** Running out of time and errors of the table affect all entries. */
function isOfEntryAlone(cause: unknown): boolean {
  if (cause instanceof OutOfTime) return false;
  if (cause instanceof ChangedTooOften) return true;
  return !(cause instanceof DomainError && cause.code === "service_unavailable");
}

function noteFailure({ logger }: MatchDeps, { machine }: Found, entry: QueueEntry, cause: unknown): void {
  const { organizationId, waiting } = entry;
  const waits = waiting.kind === "run" ? { run_id: waiting.runId } : { session_id: waiting.sessionId };
  const fields = { organization_id: organizationId, machine_id: machine.id, ...waits, cause };
  logger.error("what waits could not be given a machine, others are tried", fields);
}

async function noteIdle({ matches }: MatchDeps, { machine, emptySets }: Found): Promise<boolean> {
  const [isNoted] = await Promise.all([
    matches.markIdle(machine),
    ...emptySets.map((set) => matches.removeEmptySet(machine.organizationId, set)),
  ]);
  return isNoted;
}
