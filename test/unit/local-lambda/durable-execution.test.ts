import { describe, expect, it } from "vitest";
import { DurableExecution } from "../../../infra/local/lambda/durable/durable-execution.ts";
import type { OperationUpdate } from "../../../infra/local/lambda/durable/wire.ts";

const startedAtMs = Date.UTC(2026, 0, 1);

interface Invocation {
  readonly CheckpointToken: string;
  readonly InitialExecutionState: {
    readonly Operations: readonly { readonly Id: string; readonly Status: string }[];
    readonly NextMarker?: string;
  };
  readonly UpdatedOperationIds: readonly string[];
}

function execution(): DurableExecution {
  return new DurableExecution({
    id: "id",
    name: "name",
    functionAddress: "stack/Fn",
    payload: "{}",
    isAsync: true,
    functionArn: "arn:aws:lambda:us-east-1:000000000000:function:fn:1",
    timeoutSeconds: 600,
    startedAtMs,
  });
}

const invocation = (of: DurableExecution): Invocation => of.invocation() as Invocation;

const step = (Id: string, changes: Partial<OperationUpdate> = {}): OperationUpdate => ({
  Id,
  Type: "STEP",
  Action: "SUCCEED",
  Payload: "1",
  ...changes,
});

describe("a checkpoint token", () => {
  it("is good for one checkpoint, which gives the next", () => {
    const of = execution();
    const first = invocation(of).CheckpointToken;
    const next = of.checkpoint({ CheckpointToken: first, Updates: [step("a")] }, startedAtMs);
    expect(next.NewExecutionState.Operations).toMatchObject([{ Id: "a", Status: "SUCCEEDED" }]);
    expect(() => of.checkpoint({ CheckpointToken: first, Updates: [step("b")] }, startedAtMs)).toThrow(
      "Invalid checkpoint token",
    );
    of.checkpoint({ CheckpointToken: next.CheckpointToken ?? "", Updates: [step("b")] }, startedAtMs);
  });

  it("is worth nothing once the next invocation has begun, or the execution has ended", () => {
    const of = execution();
    const earlier = invocation(of).CheckpointToken;
    const later = invocation(of).CheckpointToken;
    expect(() => of.checkpoint({ CheckpointToken: earlier, Updates: [] }, startedAtMs)).toThrow("Invalid");
    expect(() => of.state(earlier, undefined, 10)).toThrow("Invalid");
    of.close({ status: "STOPPED", atMs: startedAtMs });
    expect(() => of.checkpoint({ CheckpointToken: later, Updates: [] }, startedAtMs)).toThrow("Invalid");
  });

  it("stays good when the checkpoint was refused", () => {
    const of = execution();
    const { CheckpointToken } = invocation(of);
    const Updates = [step("a"), step("b", { Type: "CHAINED_INVOKE", Action: "START" })];
    expect(() => of.checkpoint({ CheckpointToken, Updates }, startedAtMs)).toThrow(
      "does not run operations of the type CHAINED_INVOKE",
    );
    const { NewExecutionState } = of.checkpoint({ CheckpointToken, Updates: [] }, startedAtMs);
    expect(NewExecutionState.Operations).toEqual([]);
  });

  it("is used again by a request that is repeated within 15 minutes", () => {
    const of = execution();
    const request = { ...invocation(of), ClientToken: "c", Updates: [step("a")] };
    const first = of.checkpoint(request, startedAtMs);
    expect(of.checkpoint(request, startedAtMs + 899_999)).toBe(first);
    expect(() => of.checkpoint(request, startedAtMs + 900_000)).toThrow("Invalid checkpoint token");
  });
});

describe("an execution's limits", () => {
  it("are 3,000 operations, its start and each retry among them", () => {
    const of = execution();
    let { CheckpointToken: token } = invocation(of);
    const checkpoint = (...Updates: OperationUpdate[]): void => {
      token = of.checkpoint({ CheckpointToken: token, Updates }, startedAtMs).CheckpointToken ?? "";
    };
    checkpoint(...Array.from({ length: 2_997 }, (_, at) => step(`s${at}`)));
    const { Payload: _none, ...retry } = step("r", {
      Action: "RETRY",
      StepOptions: { NextAttemptDelaySeconds: 1 },
    });
    checkpoint(retry);
    checkpoint(step("last", { Action: "START" }));
    checkpoint(step("last"));
    expect(() => checkpoint(step("beyond"))).toThrow("at most 3000 operations");
    expect(of.log.state()).toHaveLength(3_000);
  });

  it("are 100 MB written, however little of it is kept", () => {
    const of = execution();
    let { CheckpointToken: token } = invocation(of);
    const write = (Id: string, bytes: number): void => {
      const Updates = [step(Id, { Payload: "x".repeat(bytes) })];
      token = of.checkpoint({ CheckpointToken: token, Updates }, startedAtMs).CheckpointToken ?? "";
    };
    for (let at = 0; at < 399; at += 1) write(`s${at}`, 262_144);
    write("rest", 262_142);
    expect(() => write("beyond", 1)).toThrow("at most 104857600 bytes");
  });

  it("are 256 KB of a payload and 32 KB of an error", () => {
    const of = execution();
    const { CheckpointToken } = invocation(of);
    const refused = (update: OperationUpdate): unknown => {
      const checkpoint = () => of.checkpoint({ CheckpointToken, Updates: [update] }, startedAtMs);
      return expect(checkpoint).toThrow(/must be less than/);
    };
    refused(step("a", { Payload: "ü".repeat(131_073) }));
    const { Payload: _none, ...failed } = step("a", {
      Action: "FAIL",
      Error: { ErrorMessage: "x".repeat(32_768) },
    });
    refused(failed);
  });
});

describe("what an invocation is given", () => {
  it("comes in pages, which its token reads on", () => {
    const of = execution();
    const { CheckpointToken } = invocation(of);
    const Updates = Array.from({ length: 2_500 }, (_, at) => step(`s${at}`));
    of.checkpoint({ CheckpointToken, Updates }, startedAtMs);
    const { InitialExecutionState: first, CheckpointToken: token } = invocation(of);
    expect(first.Operations[0]?.Id).toBe("id");
    expect(first.Operations).toHaveLength(1_000);
    const second = of.state(token, first.NextMarker, 1_000);
    const third = of.state(token, second.NextMarker, 1_000);
    expect([second.Operations.length, third.Operations.length, third.NextMarker]).toEqual([
      1_000,
      501,
      undefined,
    ]);
  });

  it("leaves out what lies in a closed context, unless that is marked to replay it", () => {
    const of = execution();
    const context = (Id: string, Action: "START" | "SUCCEED", ReplayChildren = false): OperationUpdate => ({
      Id,
      Type: "CONTEXT",
      Action,
      ContextOptions: { ReplayChildren },
    });
    const Updates = [
      context("plain", "START"),
      { ...context("inner", "START"), ParentId: "plain" },
      step("left", { ParentId: "inner" }),
      context("plain", "SUCCEED"),
      context("replayed", "START"),
      step("kept", { ParentId: "replayed" }),
      context("replayed", "SUCCEED", true),
    ];
    of.checkpoint({ ...invocation(of), Updates }, startedAtMs);
    expect(of.log.state().map(({ Id }) => Id)).toEqual(["id", "plain", "replayed", "kept"]);
  });

  it("names what has changed while nothing ran", () => {
    const of = execution();
    const Updates: OperationUpdate[] = [
      { Id: "w", Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: 60 } },
      { Id: "r", Type: "STEP", Action: "RETRY", StepOptions: { NextAttemptDelaySeconds: 30 } },
    ];
    of.checkpoint({ ...invocation(of), Updates }, startedAtMs);
    expect(of.log.nextDueAtMs()).toBe(startedAtMs + 30_000);
    of.log.elapse(startedAtMs + 59_999);
    expect(invocation(of).UpdatedOperationIds).toEqual(["r"]);
    of.log.elapse(startedAtMs + 60_000);
    const { UpdatedOperationIds, InitialExecutionState } = invocation(of);
    expect(UpdatedOperationIds).toEqual(["w"]);
    expect(InitialExecutionState.Operations.map(({ Status }) => Status)).toEqual([
      "STARTED",
      "SUCCEEDED",
      "READY",
    ]);
  });
});

describe("updates that the service refuses", () => {
  it.each([
    ["of a step that has ended", [step("a")], "Invalid current STEP state to close."],
    ["twice of one operation", [step("b"), step("b")], "Cannot update the same operation twice"],
    ["below what is no context", [step("b", { ParentId: "a" })], "Invalid parent operation id."],
    [
      "of a wait that is there",
      [{ Id: "a", Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: 1 } }],
      "Cannot start a WAIT that already exists.",
    ],
    ["with a result and an error", [step("b", { Error: {} })], "Cannot provide an Error for SUCCEED action."],
    ["a wait of no length", [{ Id: "b", Type: "WAIT", Action: "START" }], "Invalid WaitOptions"],
    [
      "an action of another type",
      [step("b", { Action: "CANCEL" })],
      "Invalid action for the given operation type.",
    ],
    [
      "the execution's before others",
      [step("b", { Type: "EXECUTION" }), step("c")],
      "must be the last update",
    ],
  ] satisfies [string, OperationUpdate[], string][])("%s", (_what, Updates, message) => {
    const of = execution();
    const { CheckpointToken } = of.checkpoint({ ...invocation(of), Updates: [step("a")] }, startedAtMs);
    expect(() => of.checkpoint({ CheckpointToken: CheckpointToken ?? "", Updates }, startedAtMs)).toThrow(
      message,
    );
  });
});
