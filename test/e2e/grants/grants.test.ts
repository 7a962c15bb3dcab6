import { describe, expect, it } from "vitest";
import type { GrantUse } from "../../../infra/local/aws/grants.ts";
import { control } from "../../support/stack/stack-client.ts";
import { unusedGrants } from "./unused-grants.ts";

/** What Lambda does in a function's name, and the stand-ins do without asking. */
const lambdasOwn = /^(logs|xray|sqs):|^dynamodb:ListStreams$/;

function nameOf({ functionName, action, resource, leadingKey }: GrantUse): string {
  return `${functionName} ${action} ${leadingKey ?? resource.replace(/^arn:aws:[\w-]+:[^:]*:\d*:/, "")}`;
}

/** After all other end-to-end tests, on the stack that served them: alone it finds that nothing was used. */
describe("the functions' grants", () => {
  it("were each used by some call, but for those listed with a reason", async () => {
    const { items } = await control<{ items: readonly GrantUse[] }>("/aws/grants");
    const unused = items.filter(({ action, isUsed }) => !isUsed && !lambdasOwn.test(action)).map(nameOf);
    const excused = new Set(unusedGrants.flatMap(({ grants }) => grants));
    expect(unused.filter((name) => !excused.has(name))).toEqual([]);
    const granted = new Set(items.map(nameOf));
    expect([...excused].filter((name) => !granted.has(name))).toEqual([]);
  });

  it("sufficed for every call", async () => {
    expect(await control("/aws/denials")).toEqual({ items: [] });
  });
});
