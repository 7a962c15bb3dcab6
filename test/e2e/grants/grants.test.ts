import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GrantUse } from "../../../infra/local/aws/grants.ts";
import { control } from "../../support/stack/stack-client.ts";
import { unusedGrants } from "./unused-grants.ts";

const lambdasOwn = /^(logs|sqs):|^dynamodb:ListStreams$/;

function nameOf({ functionName, action, resource, leadingKey }: GrantUse): string {
  return `${functionName} ${action} ${leadingKey ?? resource.replace(/^arn:aws:[\w-]+:[^:]*:\d*:/, "")}`;
}

/** Functions that do the same work in place of each other: which is first is a matter of milliseconds. */
const background: ReadonlySet<string> = new Set(["matcher", "projector", "sweeper"]);

function workOf(grant: GrantUse): string {
  return nameOf(background.has(grant.functionName) ? { ...grant, functionName: "background" } : grant);
}

/** Written for a run of what failed: a test that failed had not used all of its grants. */
const unusedFile = new URL("../../../.local/unused-grants-results.json", import.meta.url);
const isAgain = process.env.AGAIN !== undefined;

/**
 * Runs after all other end-to-end tests, on the stack that served them; alone it finds no grant used. Published tools, such
 * as IAM Access Analyzer, read the logs of an account.
 */
describe("the functions' grants", () => {
  it("were each used by some call, but for those listed with a reason", async () => {
    const { items } = await control<{ items: readonly GrantUse[] }>("/aws/grants");
    const done = new Set(items.filter(({ isUsed }) => isUsed).map(workOf));
    const unused = items
      .filter((grant) => !lambdasOwn.test(grant.action) && !done.has(workOf(grant)))
      .map(nameOf);
    const unusedBefore = isAgain ? (JSON.parse(readFileSync(unusedFile, "utf8")) as string[]) : undefined;
    writeFileSync(unusedFile, JSON.stringify(unused));
    const excused = new Set(unusedGrants.flatMap(({ grants }) => grants));
    const stillUnused = unused.filter((name) => unusedBefore?.includes(name) ?? true);
    expect(stillUnused.filter((name) => !excused.has(name))).toEqual([]);
    const granted = new Set(items.map(nameOf));
    expect([...excused].filter((name) => !granted.has(name))).toEqual([]);
  });

  it("sufficed for every call", async () => {
    expect(await control("/aws/denials")).toEqual({ items: [] });
  });
});
