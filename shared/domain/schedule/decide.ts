import { lateMinutesMax } from "../../vocabulary/schedules.ts";
import { isoTimestamp } from "../clock.ts";
import type { Settlement } from "./due-schedule-store.ts";
import { nextOccurrence } from "./occurrences.ts";
import { dueAfter } from "./plan.ts";
import type { Schedule } from "./schedule.ts";

export type Decision =
  /** The run of that occurrence starts, and `after` is written with it. */
  | { readonly kind: "start"; readonly dueMs: number; readonly after: Settlement }
  | { readonly kind: "note"; readonly settlement: Settlement };

const lateMsMax = lateMinutesMax * 60_000;

/** One write leaves out at most a day of minutes; the rest follows in the next ones. */
const missedPerWrite = 1_440;

/** Something is to be done now, or is to be done once the run before has ended. */
export function isPending({ dueAt, waitingDueAt }: Schedule, nowMs: number): boolean {
  return waitingDueAt !== null || (dueAt !== null && Date.parse(dueAt) <= nowMs);
}

/**
 * Decides what becomes next of a schedule's occurrences, in their order: those more than an hour late are missed, the
 * others start, wait or are left out by `overlap`.
 *
 * @param isFree says that the run before has ended, or does not matter.
 */
export function decide(schedule: Schedule, nowMs: number, isFree: boolean): Decision | undefined {
  const { dueAt, waitingDueAt, overlap } = schedule;
  const dueMs = dueAt === null ? Number.POSITIVE_INFINITY : Date.parse(dueAt);
  if (nowMs - dueMs > lateMsMax) return { kind: "note", settlement: missed(schedule, dueMs, nowMs) };
  if (waitingDueAt !== null && isFree) {
    return { kind: "start", dueMs: Date.parse(waitingDueAt), after: { waitingDueAt: null } };
  }
  if (dueMs > nowMs) return undefined;
  if (isFree) return { kind: "start", dueMs, after: { dueAt: dueAfter(schedule, dueMs) } };
  if (overlap === "queue" && waitingDueAt === null) {
    const noted = outcomeOf("queued", dueMs, nowMs);
    return {
      kind: "note",
      settlement: { ...noted, waitingDueAt: dueAt, dueAt: dueAfter(schedule, dueMs) },
    };
  }
  const { lastMs } = passed(schedule, { fromMs: dueMs, untilMs: nowMs, max: Number.POSITIVE_INFINITY });
  return {
    kind: "note",
    settlement: { ...outcomeOf("skipped", lastMs, nowMs), dueAt: dueAfter(schedule, lastMs) },
  };
}

export function outcomeOf(
  lastOutcome: NonNullable<Schedule["lastOutcome"]>,
  dueMs: number,
  nowMs: number,
): Settlement {
  return { lastOutcome, lastDueAt: isoTimestamp(dueMs), lastFiredAt: isoTimestamp(nowMs), missed: null };
}

function missed(schedule: Schedule, dueMs: number, nowMs: number): Settlement {
  const untilMs = nowMs - lateMsMax - 1;
  const { lastMs, count } = passed(schedule, { fromMs: dueMs, untilMs, max: missedPerWrite });
  const [firstDueAt, lastDueAt] = [isoTimestamp(dueMs), isoTimestamp(lastMs)];
  return {
    ...outcomeOf("missed", lastMs, nowMs),
    missed: { firstDueAt, lastDueAt, count },
    dueAt: dueAfter(schedule, lastMs),
  };
}

/** Counts the occurrences from a first one until a time, both included. */
function passed(
  schedule: Schedule,
  { fromMs, untilMs, max }: { readonly fromMs: number; readonly untilMs: number; readonly max: number },
): { readonly lastMs: number; readonly count: number } {
  let lastMs = fromMs;
  let count = 1;
  for (; count < max; count += 1) {
    const next = nextOccurrence(schedule, lastMs);
    if (next === undefined || next > untilMs) break;
    lastMs = next;
  }
  return { lastMs, count };
}
