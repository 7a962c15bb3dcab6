import { Cron } from "croner";

/** The times of a schedule: exactly one of `cron` and `everyMinutes` is not null. */
export interface Recurrence {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string | null;
  /** Counted from `startsAt`, or else from `createdAt`. */
  readonly everyMinutes: number | null;
  /** A name of IANA's, in which `cron` is read. */
  readonly timeZone: string;
  /** No occurrence is before this time. */
  readonly startsAt: string | null;
  /** No occurrence is at this time or later. */
  readonly endsAt: string | null;
  readonly createdAt: string;
}

export interface RecurrenceProblem {
  readonly field: "cron" | "timeZone";
  readonly message: string;
}

const minuteMs = 60_000;

/** The last time that a timestamp of four-digit years names. */
const lastMs = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the first occurrence after a time; undefined when there is none.
 *
 * Every occurrence is a whole minute of UTC. Where clocks change, `cron` is read as croner documents it: with `*` or a
 * step in minute or hour, it goes on through a repeated hour and leaves a skipped one out; any other occurs once, at the
 * first of two equal times, and in place of a skipped time at the first one after it.
 *
 * Source: https://github.com/Hexagon/croner#pattern
 */
export function nextOccurrence(recurrence: Recurrence, afterMs: number): number | undefined {
  const { cron, startsAt, endsAt } = recurrence;
  // The first occurrence may be at the start itself.
  const fromMs = startsAt === null ? afterMs : Math.max(afterMs, Date.parse(startsAt) - 1);
  const next = cron === null ? nextOfMinutes(recurrence, fromMs) : nextOfCron(cron, recurrence, fromMs);
  if (next === undefined || next > lastMs || (endsAt !== null && next >= Date.parse(endsAt)))
    return undefined;
  return next;
}

export function nextOccurrences(recurrence: Recurrence, afterMs: number, count: number): readonly number[] {
  const found: number[] = [];
  for (let next = nextOccurrence(recurrence, afterMs); next !== undefined && found.length < count; ) {
    found.push(next);
    next = nextOccurrence(recurrence, next);
  }
  return found;
}

/** Returns what is wrong with the pattern or the time zone by themselves. */
export function problemOf({
  cron,
  timeZone,
}: Pick<Recurrence, "cron" | "timeZone">): RecurrenceProblem | undefined {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch {
    return {
      field: "timeZone",
      message: `there is no time zone ${timeZone}: IANA's names are known, such as Europe/Lisbon`,
    };
  }
  if (cron === null) return undefined;
  try {
    read(cron, timeZone);
    return undefined;
  } catch (error) {
    // croner says which part of the pattern it cannot read.
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
    return { field: "cron", message: `the cron pattern cannot be read: ${why}` };
  }
}

function nextOfMinutes({ everyMinutes, startsAt, createdAt }: Recurrence, afterMs: number): number {
  const periodMs = (everyMinutes ?? 1) * minuteMs;
  const isStarting = startsAt !== null;
  const baseMs = isStarting
    ? Math.ceil(Date.parse(startsAt) / minuteMs) * minuteMs
    : Math.floor(Date.parse(createdAt) / minuteMs) * minuteMs;
  const passed = Math.floor((afterMs - baseMs) / periodMs) + 1;
  return baseMs + Math.max(isStarting ? 0 : 1, passed) * periodMs;
}

function nextOfCron(cron: string, { timeZone }: Recurrence, afterMs: number): number | undefined {
  return read(cron, timeZone).nextRun(new Date(afterMs))?.getTime();
}

/** @throws {Error} for a pattern that is not one of five fields. */
function read(cron: string, timezone: string): Cron {
  // croner also takes a date, or a nickname such as @daily.
  if (cron.trim().split(/\s+/).length !== 5) throw new RangeError("it has five fields, separated by spaces");
  return new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });
}
