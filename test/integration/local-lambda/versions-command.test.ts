import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { InvokeCommand } from "@aws-sdk/client-lambda";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { bundleHandler, type DurableStack, startDurableStack } from "./durable-harness.ts";
import { durableApplication } from "./durable-template.ts";

const source = `
  import { withDurableExecution } from "@aws/durable-execution-sdk-js";
  export const handler = withDurableExecution(async (event, context) => {
    if (event.waits) await context.wait({ seconds: 600 });
  });
`;

let durable = "";
let stack: DurableStack;

beforeAll(async () => {
  durable = await bundleHandler(source);
});

afterEach(async () => await stack.stop());

/** Four versions, of which the alias names the last; the second has an open execution, the first a closed one. */
async function setUp() {
  const app = durableApplication({ durable, watcher: durable });
  const functions = app.functions.map((fn) =>
    fn.durable === undefined ? fn : { ...fn, versions: ["1", "2", "3", "4"], aliases: { live: "4" } },
  );
  stack = await startDurableStack({ ...app, functions }, inject("dynamoDbUrl"));
  for (const [version, waits] of [
    ["1", false],
    ["2", true],
  ] as const) {
    const Payload = JSON.stringify({ waits });
    const FunctionName = `stack-Durable:${version}`;
    await stack.client.send(new InvokeCommand({ FunctionName, InvocationType: "Event", Payload }));
  }
  const [first] = stack.engine.list();
  if (first !== undefined) await stack.engine.ended(first);
}

async function versions(...given: readonly string[]) {
  const { url, region, admin } = stack.endpoint;
  const command = spawn(process.execPath, ["infra/versions/main.ts", ...given], {
    env: {
      PATH: process.env.PATH,
      AWS_ENDPOINT_URL: url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: admin.accessKeyId,
      AWS_SECRET_ACCESS_KEY: admin.secretAccessKey,
      AWS_SESSION_TOKEN: admin.sessionToken,
    },
  });
  const [out, err] = await Promise.all([text(command.stdout), text(command.stderr)]);
  return { out: out.trim().split("\n"), err: err.trim() };
}

describe("npm run versions", () => {
  it("removes what no alias names and no execution runs on, and says so first", async () => {
    await setUp();
    const used = ["2: has open executions", "4: named by an alias"];
    const found = await versions("prune", "--function", "stack-Durable");
    expect(found.err).toBe("");
    expect(found.out).toEqual([
      "1: unused, --yes removes it",
      used[0],
      "3: unused, --yes removes it",
      used[1],
    ]);
    const removed = await versions("prune", "--function", "stack-Durable", "--yes");
    expect(removed.out).toEqual(["1: removed", used[0], "3: removed", used[1]]);
    expect((await versions("prune", "--function", "stack-Durable")).out).toEqual(used);
  });

  it("says in one sentence what is missing", async () => {
    await setUp();
    expect(await versions("prune")).toEqual({ out: [""], err: "--function says whose versions" });
    expect((await versions("remove", "--function", "f")).err).toBe("there is no remove, only prune");
    expect((await versions("prune", "--function", "nobody")).err).toContain("Function not found");
  });
});
