import { describe, expect, it } from "vitest";
import { readCallbackId } from "../../../infra/local/lambda/durable/callback-id.ts";
import { SkippableClock } from "../../../infra/local/lambda/durable/clock.ts";
import { DurableEngine } from "../../../infra/local/lambda/durable/durable-engine.ts";
import type { DurableExecution } from "../../../infra/local/lambda/durable/durable-execution.ts";
import { failure, type InvokeResult } from "../../../infra/local/lambda/invoke-result.ts";
import { aDurableFunction as fn } from "../../support/local-lambda/a-durable-function.ts";

interface Event {
  readonly CheckpointToken: string;
}

function engineOf() {
  const clock = new SkippableClock(Date.UTC(2026, 0, 1));
  const invocations: { readonly event: Event; readonly end: (result: InvokeResult) => void }[] = [];
  const statuses: string[] = [];
  const engine = new DurableEngine({
    clock,
    invoke: async (_address, event) =>
      await new Promise((end) => {
        invocations.push({ event: event as Event, end });
      }),
    onStatus: ({ status }) => statuses.push(status),
  });
  const start = (changes: Partial<Parameters<DurableEngine["start"]>[0]> = {}): DurableExecution =>
    engine.start({ fn, version: "1", name: "run", payload: "{}", isAsync: true, ...changes });
  const end = async (result: InvokeResult): Promise<void> => {
    invocations.at(-1)?.end(result);
    await new Promise(setImmediate);
  };
  return { clock, engine, invocations, statuses, start, end };
}

const returned = (payload: object): InvokeResult => ({ ok: true, payload });
const pending = returned({ Status: "PENDING" });
const crashed = failure("crash", "Runtime.ExitError", "Runtime exited with error: signal: killed");

function wait(
  execution: DurableExecution,
  { event }: { readonly event: Event },
  seconds: number,
  nowMs: number,
) {
  const Updates = [
    { Id: `w${nowMs}`, Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: seconds } } as const,
  ];
  execution.checkpoint({ CheckpointToken: event.CheckpointToken, Updates }, nowMs);
}

describe("the engine", () => {
  it("invokes at once, after each wait, and no more once there is a result", async () => {
    const { clock, invocations, statuses, start, end } = engineOf();
    const execution = start();
    expect(invocations).toHaveLength(1);
    const [first] = invocations;
    if (first !== undefined) wait(execution, first, 60, clock.now());
    await end(pending);
    clock.skip(59_999);
    expect(invocations).toHaveLength(1);
    clock.skip(1);
    expect(invocations).toHaveLength(2);
    await end(returned({ Status: "SUCCEEDED", Result: "7" }));
    clock.skip(3_600_000);
    expect(invocations).toHaveLength(2);
    expect(execution.ending).toMatchObject({ status: "SUCCEEDED", result: "7" });
    expect(statuses).toEqual(["RUNNING", "SUCCEEDED"]);
  });

  it("invokes again at once when a wait has ended while the function ran", async () => {
    const { clock, invocations, start, end } = engineOf();
    const execution = start();
    const [first] = invocations;
    if (first !== undefined) wait(execution, first, 5, clock.now());
    clock.skip(5_000);
    expect(invocations).toHaveLength(1);
    await end(pending);
    clock.skip(0);
    expect(invocations).toHaveLength(2);
  });

  it("waits for a callback until it is completed, once, or times out", async () => {
    const { clock, engine, invocations, start, end } = engineOf();
    const execution = start();
    const begin = (Id: string) => {
      const CheckpointToken = invocations.at(-1)?.event.CheckpointToken ?? "";
      const CallbackOptions = { TimeoutSeconds: 60 };
      const Updates = [{ Id, Type: "CALLBACK", Action: "START", CallbackOptions } as const];
      const { NewExecutionState } = execution.checkpoint({ CheckpointToken, Updates }, clock.now());
      return readCallbackId(NewExecutionState.Operations[0]?.CallbackDetails?.CallbackId ?? "");
    };
    const first = begin("first");
    expect(first).toEqual({ arn: execution.arn, operationId: "first" });
    await end(pending);
    clock.skip(30_000);
    expect(invocations).toHaveLength(1);
    engine.completeCallback(execution, { operationId: "first", result: "7" });
    expect(invocations).toHaveLength(2);
    const again = () => engine.completeCallback(execution, { operationId: "first" });
    expect(again).toThrow("expired or is closed");
    begin("second");
    await end(pending);
    clock.skip(60_000);
    expect(invocations).toHaveLength(3);
    expect(execution.log.state()).toMatchObject([
      {},
      { Id: "first", Status: "SUCCEEDED", CallbackDetails: { Result: "7" } },
      { Id: "second", Status: "TIMED_OUT" },
    ]);
    expect(() => engine.completeCallback(execution, { operationId: "second" })).toThrow("expired");
  });

  it("repeats an invocation that failed, ever later, and gives up after nine in a row", async () => {
    const { clock, invocations, start, end } = engineOf();
    const execution = start();
    for (const pauseMs of [1, 2, 4, 8, 16, 32, 64, 128].map((seconds) => seconds * 1_000)) {
      const times = invocations.length;
      await end(crashed);
      clock.skip(pauseMs - 1);
      expect(invocations).toHaveLength(times);
      clock.skip(1);
      expect(invocations).toHaveLength(times + 1);
    }
    expect(execution.log.operationCount).toBe(9);
    await end(crashed);
    expect(execution.ending).toMatchObject({
      status: "FAILED",
      error: { ErrorType: "Runtime.ExitError", ErrorMessage: "Runtime exited with error: signal: killed" },
    });
  });

  it("counts failures anew after an invocation that came to its wait", async () => {
    const { clock, invocations, start, end } = engineOf();
    const execution = start();
    await end(crashed);
    clock.skip(1_000);
    const last = invocations.at(-1);
    if (last !== undefined) wait(execution, last, 1, clock.now());
    await end(pending);
    clock.skip(1_000);
    await end(failure("throttled", "TooManyRequestsException", "Rate Exceeded."));
    clock.skip(1_000);
    expect(invocations).toHaveLength(4);
  });

  it.each([
    ["nothing is pending", pending],
    ["it is not the SDK's", returned({ statusCode: 200 })],
  ])("takes an answer for an error when %s", async (_why, answer) => {
    const { clock, invocations, start, end } = engineOf();
    const execution = start();
    await end(answer);
    expect(execution.ending).toBeUndefined();
    clock.skip(1_000);
    expect(invocations).toHaveLength(2);
  });

  it("ends at ExecutionTimeout, and does not look at what its invocation still returns", async () => {
    const { clock, statuses, start, end } = engineOf();
    const execution = start();
    clock.skip(3_600_000);
    const error = { ErrorMessage: "Execution timed out after 3600 seconds." };
    expect(execution.ending).toMatchObject({ status: "TIMED_OUT", error });
    await end(returned({ Status: "SUCCEEDED" }));
    expect(execution.status).toBe("TIMED_OUT");
    expect(statuses).toEqual(["RUNNING", "TIMED_OUT"]);
  });

  it("fails an asynchronous execution with a result beyond 256 KB, and no synchronous one", async () => {
    const large = returned({ Status: "SUCCEEDED", Result: JSON.stringify("x".repeat(262_144)) });
    const { start, end } = engineOf();
    const execution = start();
    await end(large);
    expect(execution.status).toBe("FAILED");
    const synchronous = start({ name: "other", isAsync: false });
    await end(large);
    expect(synchronous.status).toBe("SUCCEEDED");
  });

  it("keeps a name until its retention is over, to one version and one payload", async () => {
    const { clock, start, end } = engineOf();
    const execution = start();
    expect(execution.arn).toMatch(/:function:fn:1\/durable-execution\/run\//);
    const taken = `Execution already started: ${execution.arn}`;
    expect(() => start({ version: "2" })).toThrow(taken);
    expect(() => start({ payload: '{"a":1}' })).toThrow(taken);
    await end(returned({ Status: "FAILED", Error: { ErrorMessage: "no" } }));
    expect(execution.ending).toMatchObject({ status: "FAILED", error: { ErrorMessage: "no" } });
    clock.skip(2 * 86_400_000 - 1);
    expect(start()).toBe(execution);
    clock.skip(1);
    expect(start({ version: "2" }).arn).toMatch(/:function:fn:2\//);
  });

  it("begins nothing while it is held, and then what was due", async () => {
    const { clock, engine, invocations, start, end } = engineOf();
    start();
    engine.hold();
    start({ name: "second" });
    await end(crashed);
    clock.skip(660_000);
    expect(invocations).toHaveLength(1);
    engine.release();
    expect(invocations).toHaveLength(3);
  });
});

describe("its clock", () => {
  it("calls what falls due in its order, each at its time", () => {
    const clock = new SkippableClock(0);
    const calls: [string, number][] = [];
    const note = (name: string) => () => calls.push([name, clock.now()]);
    clock.at(200, note("late"));
    clock.at(100, () => {
      note("early")();
      clock.at(150, note("between"));
    });
    const cancel = clock.at(120, note("taken back"));
    cancel();
    clock.skip(180);
    expect(calls).toEqual([
      ["early", 100],
      ["between", 150],
    ]);
    expect(clock.now()).toBe(180);
  });

  it("goes on by itself, unless it stands still", async () => {
    const clock = new SkippableClock();
    await new Promise<void>((resolve) => {
      clock.at(clock.now() + 1, resolve);
    });
    clock.stop();
  });
});
