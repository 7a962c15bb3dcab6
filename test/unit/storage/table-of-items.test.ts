import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../../infra/local/aws/glob.ts";
import { type KeyKind, keyPatterns } from "../../../shared/storage/table/key-patterns.ts";
import { linesIn, readFixture } from "../../contract/fixture-files.ts";
import type { RowLine } from "../../contract/table/record-table.ts";
import { sortKeyPatterns } from "../../support/sort-key-patterns.ts";
import { readStoragePage, rowsIn, withTableOfItems } from "../../support/table-of-items.ts";

const page = readStoragePage();
const lines = linesIn<RowLine>(readFixture("rows.jsonl"));

describe("the table of items in STORAGE.md", () => {
  it("is what `npm run fixtures` makes of the patterns of keys", () => {
    expect(rowsIn(page).length).toBeGreaterThan(60);
    expect(page).toBe(withTableOfItems(page));
  });

  it("says of each kind what there is besides its keys", () => {
    expect(rowsIn(page).filter(({ besides }) => besides.trim() === "")).toEqual([]);
  });

  it.each(lines)("has the key of the row that is written: $name", ({ row: { kind, pk, sk } }) => {
    const patterns = Object.entries(sortKeyPatterns).flatMap(([partition, items]) => {
      const sortKey = items[String(kind)]?.replace(/<[^>]+>/g, "*");
      return sortKey !== undefined && matchesGlob(keyPatterns[partition as KeyKind], String(pk))
        ? [sortKey]
        : [];
    });
    expect(patterns).toHaveLength(1);
    expect(matchesGlob(patterns[0] ?? "", String(sk))).toBe(true);
  });
});
