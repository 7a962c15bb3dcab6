import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  ListDurableExecutionsByFunctionCommand,
  StopDurableExecutionCommand,
} from "@aws-sdk/client-lambda";
import { afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { bundleHandler, type DurableStack, startDurableStack, until } from "./durable-harness.ts";
import { type DurableTemplateInput, durableApplication } from "./durable-template.ts";

const noting = `
  import { appendFileSync } from "node:fs";
  const did = (what) => appendFileSync(process.env.LAMBDA_TASK_ROOT + "/did", what + "\\n");
`;

const durableSource = `
  import { withDurableExecution } from "@aws/durable-execution-sdk-js";
  ${noting}
  export const handler = withDurableExecution(async (event, context) => {
    if (event.steps) {
      await Promise.all(Array.from({ length: event.steps }, (_, at) => context.step("s" + at, async () => at)));
      await context.wait({ seconds: 1 });
      return "all";
    }
    if (event.memory) {
      await context.step("large", async () => { did("large"); const all = []; for (;;) all.push(new Array(1e6).fill({})); });
    }
    const first = await context.step("first", async () => { did("first"); return 1; });
    await context.wait("pause", { seconds: 60 });
    const second = await context.step("second", async () => { did("second"); return first + 1; });
    return { second, event };
  });
`;

const watcherSource = `
  ${noting}
  export const handler = async (event) => { did(event.detail?.status ?? "asked"); return { got: event }; };
`;

const folders = { durable: "", watcher: "" };
const stacks: DurableStack[] = [];

beforeAll(async () => {
  folders.durable = await bundleHandler(durableSource);
  folders.watcher = await bundleHandler(watcherSource);
});

async function startStack(
  changes: Partial<DurableTemplateInput> = {},
  callers: readonly string[] = [],
): Promise<DurableStack> {
  const app = durableApplication({ ...folders, ...changes });
  const functions = app.functions.map((fn) => ({ ...fn, callers }));
  const stack = await startDurableStack({ ...app, functions }, inject("dynamoDbUrl"));
  stacks.push(stack);
  return stack;
}

afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
});

const ending = async (stack: DurableStack, arn: string) => await stack.engine.ended(stack.engine.get(arn));

describe("an execution", () => {
  it("runs to its wait, is invoked again after it, and keeps its result", async () => {
    const stack = await startStack();
    const arn = await stack.start("a-run", { run: "r" });
    expect(arn).toMatch(/:function:stack-Durable:1\/durable-execution\/a-run\/[0-9a-f-]{36}$/);
    await stack.invoked(arn, 1);
    expect(stack.did("Durable")).toEqual(["first"]);
    stack.clock.skip(60_000);
    expect(await ending(stack, arn)).toMatchObject({ status: "SUCCEEDED" });
    expect(stack.did("Durable")).toEqual(["first", "second"]);
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

  it("ends when it is stopped; rule, dead-letter queue and destination are told", async () => {
    const stack = await startStack();
    const arn = await stack.start("stopped", { run: "r" });
    await stack.invoked(arn, 1);
    const reason = { ErrorType: "ByHand", ErrorMessage: "enough" };
    await stack.client.send(new StopDurableExecutionCommand({ DurableExecutionArn: arn, Error: reason }));
    expect(await ending(stack, arn)).toMatchObject({ status: "STOPPED", error: reason });
    await until(() => stack.did("Watcher").length > 0);
    expect(stack.did("Watcher")).toEqual(["STOPPED"]);
    const messages = stack.endpoint.messages.snapshot();
    expect(messages.map(({ queueName }) => queueName)).toEqual(["events", "dead-letters", "failures"]);
    const [event, letter, record] = messages.map(({ body }) => JSON.parse(body));
    expect(event).toMatchObject({
      source: "aws.lambda",
      "detail-type": "Durable Execution Status Change",
      detail: { durableExecutionArn: arn, durableExecutionName: "stopped", status: "STOPPED" },
    });
    expect(letter).toEqual({ run: "r" });
    expect(record).toMatchObject({ requestPayload: { run: "r" }, responsePayload: reason });
  });

  it("is found by function, version, name and status, page by page", async () => {
    const stack = await startStack();
    const arns = [await stack.start("one"), await stack.start("two"), await stack.start("three")];
    stack.engine.stopExecution(stack.engine.get(arns[2] ?? ""), {});
    const list = async (query: object): Promise<(string | undefined)[]> => {
      const answer = await stack.client.send(
        new ListDurableExecutionsByFunctionCommand({ FunctionName: "stack-Durable", ...query }),
      );
      return (answer.DurableExecutions ?? []).map(({ DurableExecutionName }) => DurableExecutionName);
    };
    expect(await list({})).toEqual(["three", "two", "one"]);
    expect(await list({ Statuses: ["RUNNING"], ReverseOrder: true })).toEqual(["one", "two"]);
    expect(await list({ MaxItems: 1, Marker: "1" })).toEqual(["two"]);
    expect(await list({ DurableExecutionName: "one", Qualifier: "1" })).toEqual(["one"]);
    expect(await list({ Qualifier: "$LATEST" })).toEqual([]);
  });
});

describe("a worker that is killed", () => {
  const checkpoint = { service: "lambda", operation: "CheckpointDurableExecution" };

  it.each(["crash_before", "crash_after"] as const)(
    "is replaced, whichever checkpoint it was at: %s",
    async (effect) => {
      const stack = await startStack();
      let checkpoints = 0;
      for (;;) {
        const before = stack.did("Durable").length;
        stack.endpoint.faults.inject({ ...checkpoint, effect, skip: checkpoints });
        const arn = await stack.start(`run-${checkpoints}`);
        for (let times = 1; times <= 2; times += 1) {
          await stack.invoked(arn, times);
          stack.clock.skip(60_000);
        }
        expect(await ending(stack, arn)).toMatchObject({ status: "SUCCEEDED" });
        expect(new Set(stack.did("Durable").slice(before))).toEqual(new Set(["first", "second"]));
        if (stack.endpoint.faults.list().length > 0) break;
        checkpoints += 1;
      }
      expect(checkpoints).toBe(3);
    },
  );

  it("is replaced after its pause, and not before invocations are let go", async () => {
    const stack = await startStack();
    stack.endpoint.faults.inject({ ...checkpoint, effect: "crash_before" });
    stack.engine.hold();
    const arn = await stack.start("held");
    stack.clock.skip(5_000);
    expect(stack.did("Durable")).toEqual([]);
    stack.engine.release();
    await stack.invoked(arn, 1);
    stack.engine.hold();
    stack.clock.skip(300_000);
    expect(stack.did("Durable")).toEqual(["first"]);
    stack.engine.release();
    await stack.invoked(arn, 2);
    expect(stack.did("Durable")).toEqual(["first", "first"]);
  });

  it("is replaced when it runs out of memory", async () => {
    const stack = await startStack({ memoryMb: 64 });
    const arn = await stack.start("large", { memory: true });
    await stack.invoked(arn, 1);
    stack.clock.skip(1_000);
    await until(() => stack.did("Durable").length === 2);
    expect(stack.engine.get(arn).history.events.at(-1)).toMatchObject({
      InvocationCompletedDetails: {
        Error: { Payload: { ErrorMessage: expect.stringMatching(/signal: killed/) } },
      },
    });
  });
});

describe("a call", () => {
  const invocation = {
    InvocationType: "Event",
    DurableExecutionName: "a-run",
    Payload: "{}",
  } as const;

  it("starts a durable function through a version or an alias only", async () => {
    const stack = await startStack();
    const invoke = async (FunctionName: string) =>
      await stack.client.send(new InvokeCommand({ ...invocation, FunctionName }));
    await expect(invoke("stack-Durable")).rejects.toMatchObject({
      name: "InvalidParameterValueException",
      message: "You cannot invoke a durable function using an unqualified ARN.",
    });
    await expect(invoke("stack-Durable:other")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    const byAlias = await invoke("arn:aws:lambda:us-east-1:000000000000:function:stack-Durable:live");
    expect(await invoke("stack-Durable:1")).toMatchObject({
      DurableExecutionArn: byAlias.DurableExecutionArn,
    });
  });

  it("waits for the result of a synchronous start, where ExecutionTimeout allows one", async () => {
    const stack = await startStack();
    const send = async (to: DurableStack) =>
      await to.client.send(new InvokeCommand({ FunctionName: "stack-Durable:1", Payload: '{"steps":1}' }));
    const answering = send(stack);
    await until(() => stack.engine.list().length === 1);
    const [execution] = stack.engine.list();
    await stack.invoked(execution?.arn ?? "", 1);
    stack.clock.skip(1_000);
    expect((await answering).Payload?.transformToString()).toBe('"all"');
    await expect(send(await startStack({ executionTimeout: 901 }))).rejects.toMatchObject({
      message: expect.stringMatching(/^You cannot synchronously invoke/),
    });
  });

  it("invokes a function that is not durable, too", async () => {
    const { client, did } = await startStack();
    const answer = await client.send(
      new InvokeCommand({ FunctionName: "stack-Watcher", Payload: '{"a":1}' }),
    );
    expect(JSON.parse(answer.Payload?.transformToString() ?? "")).toEqual({ got: { a: 1 } });
    await client.send(new InvokeCommand({ FunctionName: "stack-Watcher", InvocationType: "Event" }));
    await until(() => did("Watcher").length === 2);
  });

  it("is judged by the caller's role: the alias to invoke, the execution for the rest", async () => {
    const stack = await startStack();
    const alias = "arn:aws:lambda:us-east-1:000000000000:function:stack-Durable:live";
    const invoke = new InvokeCommand({ ...invocation, FunctionName: "stack-Durable", Qualifier: "live" });
    const { DurableExecutionArn } = await stack.clientWho(["lambda:InvokeFunction"], alias).send(invoke);
    const denied = { name: "AccessDeniedException", $metadata: { httpStatusCode: 403 } };
    await expect(
      stack.clientWho(["lambda:InvokeFunction"], alias.replace("live", "1")).send(invoke),
    ).rejects.toMatchObject(denied);
    const get = new GetDurableExecutionCommand({ DurableExecutionArn });
    await expect(stack.clientWho(["lambda:GetDurableExecution"], alias).send(get)).rejects.toMatchObject(
      denied,
    );
    const executions = "arn:aws:lambda:us-east-1:000000000000:function:stack-Durable:1/durable-execution/*";
    await stack.clientWho(["lambda:GetDurableExecution"], executions).send(get);
  });

  it("is let in by the function's own policy, to the function as it is", async () => {
    const nothing = [
      "lambda:GetDurableExecution",
      "arn:aws:lambda:us-east-1:000000000000:function:other",
    ] as const;
    const invoke = new InvokeCommand({ FunctionName: "stack-Watcher", Payload: "{}" });
    const denied = { name: "AccessDeniedException" };
    await expect((await startStack()).clientWho([nothing[0]], nothing[1]).send(invoke)).rejects.toMatchObject(
      denied,
    );
    const caller = (await startStack({}, ["caller"])).clientWho([nothing[0]], nothing[1]);
    expect((await caller.send(invoke)).StatusCode).toBe(200);
    const live = new InvokeCommand({ ...invocation, FunctionName: "stack-Durable", Qualifier: "live" });
    await expect(caller.send(live)).rejects.toMatchObject(denied);
  });

  it("fails the execution whose role may not checkpoint", async () => {
    const stack = await startStack({ mayCheckpoint: false });
    const arn = await stack.start("denied");
    expect(await ending(stack, arn)).toMatchObject({
      status: "FAILED",
      error: { ErrorMessage: expect.stringContaining("lambda:CheckpointDurableExecution") },
    });
  });
});
