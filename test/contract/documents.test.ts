import { describe, expect, it } from "vitest";
import { documentsToday, unexplainedChanges } from "./documents.ts";
import { readFixture } from "./fixture-files.ts";

const documents = Object.entries(await documentsToday());

describe.each(documents)("the fixture %s", (file, today) => {
  it("is broken by no change that CHANGES.md does not explain", () => {
    expect(unexplainedChanges(file, today)).toEqual([]);
  });

  it("is the document of today; npm run fixtures writes it anew", () => {
    expect(today).toEqual(JSON.parse(readFixture(file)));
  });
});
