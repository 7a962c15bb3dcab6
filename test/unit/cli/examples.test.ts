import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allCommands } from "../../../infra/cli/commands/all-commands.ts";
import { describedOperations } from "../../../infra/cli/operations/described-operations.ts";
import { exampleOf } from "../../../infra/cli/operations/example-line.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { runLine } from "../../support/cli/run-line.ts";

const operations: readonly Operation[] = allOperations;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "das-examples-"));
  await writeFile(join(folder, "FILE"), "<SECRET_OF_SOME_LENGTH>");
});
afterAll(async () => await rm(folder, { recursive: true }));

/** As a shell splits a line: single quotes alone, and a backslash before one. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|\\(')/g, (_, quoted = "", mark = "") => quoted + mark),
  );
}

const derived = new Map(
  allCommands().flatMap(({ operations: ids = [], examples }) => ids.map((id) => [id, examples[0]])),
);
const cases = describedOperations.filter((each) => derived.get(each.id) === exampleOf(each));

it.each(cases.map((each) => [exampleOf(each), each] as const))(
  "%s sends what the contract takes",
  async (line, { id }) => {
    const operation = operations.find((each) => each.id === id);
    const { code, sent, errors } = await runLine(wordsOf(line).slice(1), {
      folder,
      answer: () => Response.json([]),
    });
    expect([code, errors]).toEqual([0, expect.stringMatching(/^(none\n)?$/)]);
    const { pathname, searchParams } = new URL(sent[0]?.url ?? "");
    const pattern = operation?.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[A-Z_0-9]+");
    expect([sent[0]?.method, pathname]).toEqual([
      operation?.method,
      expect.stringMatching(new RegExp(`^${pattern}$`)),
    ]);
    expect(operation?.query?.safeParse(Object.fromEntries(searchParams)).error?.issues ?? []).toEqual([]);
    if (operation?.body === undefined) return;
    const body: unknown = JSON.parse(sent[0]?.body ?? "");
    expect(operation.body.safeParse(body).error?.issues ?? []).toEqual([]);
    expect(Object.keys(body as object).toSorted()).toEqual(Object.keys(operation.example ?? {}).toSorted());
  },
);
