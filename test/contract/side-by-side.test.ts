import { beforeAll, describe, expect, it } from "vitest";
import { contains, latest, linesIn, readFixture } from "./fixture-files.ts";
import { type RowLine, readRows, recordTable } from "./table/record-table.ts";

/** Attributes of an earlier release that a row of today lacks, or has with another type. */
function missedBy(before: unknown, today: unknown, path = ""): readonly string[] {
  if (typeOf(before) !== typeOf(today)) return [`${path}: ${typeOf(before)} is ${typeOf(today)}`];
  if (typeOf(before) !== "object") return [];
  const now = today as Readonly<Record<string, unknown>>;
  return Object.entries(before as object).flatMap(([name, value]) =>
    name in now ? missedBy(value, now[name], `${path}.${name}`) : [`${path}.${name}: is gone`],
  );
}

/** Elements of arrays are data: what they are like is the reader's, which reads them in the other test. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Rows of the release before, as it wrote and read them (infra/DEPLOY.md, "Versions side by side"). */
const before = linesIn<RowLine>(readFixture("rows-before.jsonl"));

describe("beside the release before", () => {
  let today: ReadonlyMap<string, RowLine>;
  let readToday: ReadonlyMap<string, RowLine>;
  beforeAll(async () => {
    today = latest((await recordTable()).rows);
    readToday = latest(await readRows(before));
  });

  it.each(before)("what it wrote is read today: $name", ({ name, read }) => {
    const now = readToday.get(name)?.read;
    expect(contains(now, read), `${JSON.stringify(now)} lacks what was read`).toBe(true);
  });

  it.each(before)("it reads what is written today: $name", ({ name, row }) => {
    expect(missedBy(row, today.get(name)?.row)).toEqual([]);
  });
});

describe("what the release before would miss", () => {
  const row = { kind: "run", status: "success", usage: { steps: 1 } };
  it.each([
    [{ ...row, more: 1 }, []],
    [{ ...row, usage: { steps: 2, tokens: 3 } }, []],
    [{ kind: "run", usage: { steps: 1 } }, [".status: is gone"]],
    [{ ...row, usage: { steps: "1" } }, [".usage.steps: number is string"]],
    [{ ...row, usage: null }, [".usage: object is null"]],
    [undefined, [": object is undefined"]],
  ])("in %j is %j", (today, missed) => {
    expect(missedBy(row, today)).toEqual(missed);
  });
});
