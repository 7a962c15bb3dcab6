import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runErrorCodes } from "../../../shared/vocabulary/run-error-codes.ts";

it("WORKFLOWS.md says of each error_code of a run, and of no other, what to do", () => {
  const [, section = ""] = readFileSync("functions/workflows/WORKFLOWS.md", "utf8").split("| error_code |");
  const named = [...section.matchAll(/^\| ([a-z_, ]+) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
  expect(named.toSorted()).toEqual([...runErrorCodes]);
});
