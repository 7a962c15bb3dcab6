import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { linesIn, readFixture } from "./fixture-files.ts";
import { type RowLine, readRows, recordTable } from "./table/record-table.ts";

const lines = linesIn<RowLine>(readFixture("rows.jsonl"));
const storage = readFileSync(new URL("../../shared/storage/STORAGE.md", import.meta.url), "utf8");

describe("the fixtures of rows", () => {
  let today: readonly RowLine[];
  beforeAll(async () => {
    today = (await recordTable()).rows;
  });

  it("have each kind that the table's document names, and no other", () => {
    const [, items = ""] = /\n## Items\n(.*?)\n## /s.exec(storage) ?? [];
    const kinds = [...items.matchAll(/^\| ([a-z_]+) +\|/gm)].map(([, kind]) => kind);
    expect(new Set(lines.map(({ row }) => row.kind))).toEqual(new Set(kinds));
  });

  it.each(lines)("are written like that today: $name", ({ name, row }) => {
    expect(today.find((line) => line.name === name)?.row).toEqual(row);
  });

  it("are all that is written today", () => {
    const namesOf = (all: readonly RowLine[]) => all.map(({ name }) => name).toSorted();
    expect(namesOf(today)).toEqual(namesOf(lines));
  });

  it("are read by the adapters", async () => {
    expect(await readRows(lines)).toEqual(lines);
  });
});
