import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { jobPayload } from "../../../shared/domain/execution/engine/start-execution.ts";
import { executionName } from "../../../shared/domain/execution/execution.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { LambdaExecutions, readJobOf } from "../../../shared/execution/lambda-executions.ts";
import { bundleHandler, type DurableStack, startDurableStack, until } from "./durable-harness.ts";
import { durableApplication } from "./durable-template.ts";

const source = `
  import { withDurableExecution } from "@aws/durable-execution-sdk-js";
  import { appendFileSync } from "node:fs";
  export const handler = withDurableExecution(async (event, context) => {
    await context.step("first", async () => { appendFileSync(process.env.LAMBDA_TASK_ROOT + "/did", event.run_id + "\\n"); return {}; });
    await context.wait({ seconds: 60 });
  });
`;

const job = {
  organizationId: organizationIdOf("acme"),
  runId: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f",
  assignmentId: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e10",
  part: 1,
};
const name = executionName(job);

let durable = "";
let stack: DurableStack;

beforeAll(async () => {
  durable = await bundleHandler(source);
});

async function begin() {
  stack = await startDurableStack(durableApplication({ durable, watcher: durable }), inject("dynamoDbUrl"));
  const alias = "arn:aws:lambda:us-east-1:000000000000:function:stack-Durable:live";
  return { alias, executions: new LambdaExecutions({ client: stack.client, executor: alias }) };
}

afterEach(async () => await stack.stop());

describe("executions by Lambda's API", () => {
  it("are started once by their name, whoever starts them again and with what", async () => {
    const { executions } = await begin();
    expect(await executions.find({ name, arn: null })).toBeUndefined();
    for (const part of [1, 1, 2]) await executions.start(name, jobPayload({ ...job, part }));
    expect(stack.engine.list()).toHaveLength(1);
    await until(() => stack.did("Durable").length === 1);
    expect(stack.did("Durable")).toEqual([job.runId]);
    const [arn = ""] = stack.engine.list().map((each) => each.arn);
    for (const asked of [arn, null]) expect(await executions.find({ name, arn: asked })).toBe("open");
  });

  it("are closed once they have ended, however they did, and say what they were started with", async () => {
    const { executions } = await begin();
    await executions.start(name, jobPayload(job));
    const [execution] = stack.engine.list();
    if (execution === undefined) throw new Error("nothing was started");
    expect(await readJobOf(stack.client, execution.arn)).toEqual(job);
    stack.engine.stopExecution(execution, {});
    for (const arn of [execution.arn, null]) expect(await executions.find({ name, arn })).toBe("closed");
    expect(await readJobOf(stack.client, execution.arn)).toEqual(job);
    await executions.start(name, jobPayload(job));
    expect(await executions.find({ name, arn: execution.arn })).toBe("closed");
  });

  it("are started by the alias's ARN or by name and alias, as the roles of the template allow", async () => {
    const { alias } = await begin();
    const client = stack.clientWho(["lambda:InvokeFunction"], alias);
    for (const executor of [alias, "stack-Durable:live"]) {
      await new LambdaExecutions({ client, executor }).start(name, jobPayload(job));
    }
    expect(stack.engine.list()).toHaveLength(1);
    const other = new LambdaExecutions({ client, executor: alias.replace(":live", ":1") });
    await expect(other.start("another", jobPayload(job))).rejects.toThrow(/not authorized/);
  });

  it("that nobody knows any more are nobody's", async () => {
    const { executions } = await begin();
    const gone = "arn:aws:lambda:us-east-1:000000000000:function:stack-Durable:1/durable-execution/x/y";
    expect(await readJobOf(stack.client, gone)).toBeUndefined();
    expect(await executions.find({ name, arn: gone })).toBe("closed");
  });
});
