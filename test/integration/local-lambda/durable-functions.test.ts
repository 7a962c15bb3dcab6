import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
} from "@aws-sdk/client-lambda";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import {
  bundleHandler,
  type DurableStack,
  type DurableStackInput,
  startDurableStack,
} from "./durable-harness.ts";

/** Notes in a file what it does, so that a test sees what came again. */
const source = `
  import { appendFileSync } from "node:fs";
  import { withDurableExecution } from "@aws/durable-execution-sdk-js";
  const did = (what) => appendFileSync(process.env.LAMBDA_TASK_ROOT + "/did", what + "\\n");
  export const handler = withDurableExecution(async (event, context) => {
    did("invoked");
    const first = await context.step("first", async () => { did("first"); return 1; });
    await context.wait("pause", { seconds: 60 });
    const second = await context.step("second", async (step) => { did("second"); return first + 1; });
    return { second, event };
  });
`;

let folder: string;
const stacks: DurableStack[] = [];

beforeAll(async () => {
  folder = await bundleHandler(source);
});

async function start(changes: Partial<DurableStackInput> = {}): Promise<DurableStack> {
  rmSync(join(folder, "did"), { force: true });
  const stack = await startDurableStack({ folder, dynamoDbUrl: inject("dynamoDbUrl"), ...changes });
  stacks.push(stack);
  return stack;
}

afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
});

const did = (): readonly string[] => readFileSync(join(folder, "did"), "utf8").trim().split("\n");

async function invoke(
  { client }: DurableStack,
  name: string,
  payload: object = { run: "r" },
): Promise<string> {
  const { DurableExecutionArn: arn, StatusCode: status } = await client.send(
    new InvokeCommand({
      FunctionName: "stack-Sample",
      Qualifier: "live",
      InvocationType: "Event",
      DurableExecutionName: name,
      Payload: JSON.stringify(payload),
    }),
  );
  expect(status).toBe(202);
  return arn ?? "";
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const eventsOf = (stack: DurableStack, arn: string): readonly string[] =>
  stack.engine.get(arn).history.events.map(({ EventType }) => EventType);

const waits = (stack: DurableStack, arn: string) => () =>
  eventsOf(stack, arn).filter((type) => type === "InvocationCompleted").length === 1;

describe("an execution", () => {
  it("runs to its wait, is invoked again after it, and keeps its result", async () => {
    const stack = await start();
    const arn = await invoke(stack, "a-run");
    expect(arn).toMatch(/:function:stack-Sample:1\/durable-execution\/a-run\/[0-9a-f-]{36}$/);
    await until(waits(stack, arn));
    expect(did()).toEqual(["invoked", "first"]);
    stack.clock.skip(60_000);
    expect(await stack.engine.ended(stack.engine.get(arn))).toMatchObject({ status: "SUCCEEDED" });
    expect(did()).toEqual(["invoked", "first", "invoked", "second"]);
    expect(
      await stack.client.send(new GetDurableExecutionCommand({ DurableExecutionArn: arn })),
    ).toMatchObject({
      Status: "SUCCEEDED",
      Result: JSON.stringify({ second: 2, event: { run: "r" } }),
      InputPayload: JSON.stringify({ run: "r" }),
      StartTimestamp: expect.any(Date),
      EndTimestamp: expect.any(Date),
    });
    const history = await stack.client.send(
      new GetDurableExecutionHistoryCommand({ DurableExecutionArn: arn }),
    );
    expect(history.Events?.map(({ EventType, Name }) => [EventType, Name])).toEqual([
      ["ExecutionStarted", undefined],
      ["StepStarted", "first"],
      ["StepSucceeded", "first"],
      ["WaitStarted", "pause"],
      ["InvocationCompleted", undefined],
      ["WaitSucceeded", "pause"],
      ["StepStarted", "second"],
      ["StepSucceeded", "second"],
      ["InvocationCompleted", undefined],
      ["ExecutionSucceeded", undefined],
    ]);
  });
});
