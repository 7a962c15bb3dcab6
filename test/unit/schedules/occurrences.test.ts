import { describe, expect, test } from "vitest";
import {
  nextOccurrence,
  nextOccurrences,
  problemOf,
  type Recurrence,
} from "../../../shared/domain/schedule/occurrences.ts";

const createdAt = "2026-01-01T10:00:30.000Z";
const none = { cron: null, everyMinutes: null, timeZone: "UTC", startsAt: null, endsAt: null, createdAt };

function times(recurrence: Partial<Recurrence>, after: string, count: number): readonly string[] {
  const found = nextOccurrences({ ...none, ...recurrence }, Date.parse(after), count);
  return found.map((ms) => new Date(ms).toISOString().slice(0, 16));
}

describe("a cron pattern where clocks change", () => {
  const changes: readonly (readonly [string, string, string, string, readonly string[]])[] = [
    [
      "once a day, as summer time skips it",
      "Europe/Berlin",
      "30 2 * * *",
      "2026-03-28T12:00",
      ["2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "once a day, as its time comes twice",
      "Europe/Berlin",
      "30 2 * * *",
      "2026-10-24T12:00",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "once for each local time of a list",
      "Europe/Berlin",
      "30 1,2 * * *",
      "2026-10-24T12:00",
      ["2026-10-24T23:30", "2026-10-25T00:30", "2026-10-26T00:30"],
    ],
    [
      "once, where the whole list is skipped",
      "Europe/Berlin",
      "0,30 2 * * *",
      "2026-03-28T12:00",
      ["2026-03-29T01:00", "2026-03-30T00:00"],
    ],
    [
      "each hour through the repeated one",
      "Europe/Berlin",
      "0 * * * *",
      "2026-10-24T23:30",
      ["2026-10-25T00:00", "2026-10-25T01:00", "2026-10-25T02:00"],
    ],
    [
      "each quarter of an hour over the skipped one",
      "Europe/Berlin",
      "*/15 * * * *",
      "2026-03-29T00:30",
      ["2026-03-29T00:45", "2026-03-29T01:00"],
    ],
    [
      "not in an hour that is skipped",
      "Europe/Berlin",
      "* 2 * * *",
      "2026-03-29T00:30",
      ["2026-03-30T00:00"],
    ],
    [
      "once a day in spring",
      "America/New_York",
      "30 2 * * *",
      "2026-03-07T12:00",
      ["2026-03-08T07:00", "2026-03-09T06:30"],
    ],
    [
      "once a day in autumn",
      "America/New_York",
      "30 1 * * *",
      "2026-10-31T12:00",
      ["2026-11-01T05:30", "2026-11-02T06:30"],
    ],
    [
      "once, where clocks skip midnight",
      "America/Santiago",
      "0 0 * * *",
      "2026-09-05T12:00",
      ["2026-09-06T04:00", "2026-09-07T03:00"],
    ],
    [
      "once, where half an hour is skipped",
      "Australia/Lord_Howe",
      "15 2 * * *",
      "2026-10-02T16:00",
      ["2026-10-03T15:30", "2026-10-04T15:15"],
    ],
    [
      "once, where half an hour comes twice",
      "Australia/Lord_Howe",
      "45 1 * * *",
      "2026-04-03T15:00",
      ["2026-04-04T14:45", "2026-04-05T15:15"],
    ],
    [
      "not on a day that a zone left out",
      "Pacific/Apia",
      "0 9 * * *",
      "2011-12-29T00:00",
      ["2011-12-29T19:00", "2011-12-30T19:00"],
    ],
    [
      "at the same time of UTC where nothing changes",
      "Asia/Kolkata",
      "30 2 * * *",
      "2026-03-28T12:00",
      ["2026-03-28T21:00", "2026-03-29T21:00"],
    ],
  ];
  test.each(changes)("occurs %s (%s, %s)", (_, timeZone, cron, after, expected) => {
    expect(times({ cron, timeZone }, `${after}:00Z`, expected.length)).toEqual(expected);
  });

  test("is read one occurrence after another as many at once are", () => {
    const recurrence = { ...none, cron: "*/30 * * * *", timeZone: "Europe/Berlin" };
    const atOnce = nextOccurrences(recurrence, Date.parse("2026-10-24T22:00:00Z"), 12);
    const hours = atOnce.map((ms) => (ms - Date.parse("2026-10-24T22:00:00Z")) / 3_600_000);
    expect(hours).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6]);
  });
});

describe("a cron pattern", () => {
  test.each([
    ["0 0 30 2 *", "the thirtieth of February"],
    ["0 0 31 2,4,6,9,11 *", "the thirty-first of short months"],
  ])("never occurs at %s, %s", (cron) => {
    expect(times({ cron }, createdAt, 1)).toEqual([]);
  });

  test("may occur in leap years alone", () => {
    expect(times({ cron: "0 0 29 2 *" }, createdAt, 2)).toEqual(["2028-02-29T00:00", "2032-02-29T00:00"]);
  });

  test("occurs after the time given, not at it", () => {
    expect(times({ cron: "0 6 * * *" }, "2026-01-02T06:00:00Z", 1)).toEqual(["2026-01-03T06:00"]);
    expect(times({ cron: "0 6 * * *" }, "2026-01-02T05:59:59.999Z", 1)).toEqual(["2026-01-02T06:00"]);
  });

  test("occurs from the start on, and before the end", () => {
    const bounds = { startsAt: "2026-02-01T06:00:00.000Z", endsAt: "2026-02-03T06:00:00.000Z" };
    expect(times({ cron: "0 6 * * *", ...bounds }, createdAt, 9)).toEqual([
      "2026-02-01T06:00",
      "2026-02-02T06:00",
    ]);
  });

  test.each(["* * * *", "0 0 * * * *", "@daily", "2030-01-01T00:00:00", "61 * * * *", "0 0 * * FOO"])(
    "is refused as %s",
    (cron) => {
      expect(problemOf({ cron, timeZone: "UTC" })).toMatchObject({ field: "cron" });
    },
  );

  test("is read in time zones of IANA's names alone", () => {
    expect(problemOf({ cron: "0 6 * * 1-5", timeZone: "Europe/Lisbon" })).toBeUndefined();
    expect(problemOf({ cron: null, timeZone: "Mars/Olympus" })).toMatchObject({ field: "timeZone" });
  });
});

describe("every so many minutes", () => {
  test("counts from the creation, whose own minute is not one", () => {
    expect(times({ everyMinutes: 15 }, createdAt, 2)).toEqual(["2026-01-01T10:15", "2026-01-01T10:30"]);
    expect(times({ everyMinutes: 15 }, "2025-01-01T00:00:00Z", 1)).toEqual(["2026-01-01T10:15"]);
  });

  test("counts from the start, at which the first one is", () => {
    const bounds = { startsAt: "2026-02-01T06:00:00.000Z", endsAt: "2026-02-01T06:20:00.000Z" };
    expect(times({ everyMinutes: 10, ...bounds }, createdAt, 9)).toEqual([
      "2026-02-01T06:00",
      "2026-02-01T06:10",
    ]);
    const between = { startsAt: "2026-02-01T06:00:30.000Z" };
    expect(times({ everyMinutes: 10, ...between }, createdAt, 1)).toEqual(["2026-02-01T06:01"]);
  });

  test("keeps its distance over a change of clocks", () => {
    const recurrence = { everyMinutes: 60, timeZone: "Europe/Berlin" };
    expect(times(recurrence, "2026-10-25T00:01:00Z", 3)).toEqual([
      "2026-10-25T01:00",
      "2026-10-25T02:00",
      "2026-10-25T03:00",
    ]);
  });

  test("is the same after a year away", () => {
    const next = nextOccurrence({ ...none, everyMinutes: 7 }, Date.parse("2027-01-01T10:00:30Z"));
    expect(((next ?? 0) - Date.parse("2026-01-01T10:00:00Z")) % (7 * 60_000)).toBe(0);
  });
});

test("no occurrence is after the year 9999, which no timestamp of the API can name", () => {
  const startsAt = "9999-12-31T23:50:00.000Z";
  expect(times({ everyMinutes: 7, startsAt }, "2026-01-01T00:00", 5)).toEqual([
    "9999-12-31T23:50",
    "9999-12-31T23:57",
  ]);
});
