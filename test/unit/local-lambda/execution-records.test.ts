import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { SkippableClock } from "../../../infra/local/lambda/durable/clock.ts";
import { DurableEngine } from "../../../infra/local/lambda/durable/durable-engine.ts";
import type { DurableExecution } from "../../../infra/local/lambda/durable/durable-execution.ts";
import { ExecutionFiles } from "../../../infra/local/lambda/durable/execution-records.ts";
import type { OperationUpdate } from "../../../infra/local/lambda/durable/wire.ts";
import type { InvokeResult } from "../../../infra/local/lambda/invoke-result.ts";
import { aDurableFunction as fn } from "../../support/local-lambda/a-durable-function.ts";

const startMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "executions-"));
  folders.push(folder);
  return folder;
}

interface Invocation {
  readonly CheckpointToken: string;
  readonly InitialExecutionState: {
    readonly Operations: readonly { readonly Id: string; readonly Status: string }[];
  };
}

function stackOn(folder: string, nowMs = startMs) {
  const clock = new SkippableClock(nowMs);
  const invocations: { readonly event: Invocation; readonly end: (result: InvokeResult) => void }[] = [];
  const engine = new DurableEngine({
    clock,
    invoke: async (_address, event) =>
      await new Promise((end) => {
        invocations.push({ event: event as Invocation, end });
      }),
    onStatus: () => undefined,
    records: new ExecutionFiles(folder),
  });
  engine.resume([fn]);
  const start = (payload = "{}") => engine.start({ fn, version: "1", name: "run", payload, isAsync: true });
  const update = (execution: DurableExecution, ...Updates: OperationUpdate[]) => {
    const CheckpointToken = invocations.at(-1)?.event.CheckpointToken ?? "";
    execution.checkpoint({ CheckpointToken, Updates }, clock.now());
    engine.checkpointed(execution);
  };
  const end = async (result: object) => {
    invocations.at(-1)?.end({ ok: true, payload: result });
    await new Promise(setImmediate);
  };
  const operations = () =>
    invocations
      .at(-1)
      ?.event.InitialExecutionState.Operations.slice(1)
      .map(({ Id, Status }) => [Id, Status]);
  return { clock, engine, invocations, start, update, end, operations };
}

const done: OperationUpdate = { Id: "a", Type: "STEP", Action: "SUCCEED", Payload: "1" };
const wait: OperationUpdate = { Id: "w", Type: "WAIT", Action: "START", WaitOptions: { WaitSeconds: 60 } };

describe("a stack on the data of one that was killed", () => {
  it("does the invocation under way again, with what was checkpointed", () => {
    const folder = newFolder();
    const first = stackOn(folder);
    first.update(first.start(), done);
    const second = stackOn(folder, startMs + 5_000);
    expect(second.operations()).toEqual([["a", "SUCCEEDED"]]);
    expect(second.engine.list().map(({ arn, status }) => [arn, status])).toEqual(
      first.engine.list().map(({ arn }) => [arn, "RUNNING"]),
    );
  });

  it("waits on until the time that was set", async () => {
    const folder = newFolder();
    const first = stackOn(folder);
    first.update(first.start(), wait);
    await first.end({ Status: "PENDING" });
    const second = stackOn(folder, startMs + 20_000);
    expect(second.operations()).toEqual([["w", "STARTED"]]);
    await second.end({ Status: "PENDING" });
    second.clock.skip(39_000);
    expect(second.invocations).toHaveLength(1);
    second.clock.skip(1_000);
    expect(second.operations()).toEqual([["w", "SUCCEEDED"]]);
  });

  it("knows an execution by its name, running or ended, until its retention is over", async () => {
    const folder = newFolder();
    const first = stackOn(folder);
    const { arn } = first.start();
    const second = stackOn(folder);
    expect(second.start().arn).toBe(arn);
    expect(() => second.start('{"other":1}')).toThrow("already started");
    await second.end({ Status: "SUCCEEDED", Result: "7" });
    const third = stackOn(folder, startMs + dayMs);
    expect(third.start()).toMatchObject({ arn, ending: { status: "SUCCEEDED", result: "7" } });
    expect(third.invocations).toEqual([]);
    third.clock.skip(dayMs);
    await new Promise(setImmediate);
    third.clock.skip(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("ends one that ended by a checkpoint of its own, and one whose time is over", () => {
    const folder = newFolder();
    const first = stackOn(folder);
    first.update(first.start(), { Id: "run", Type: "EXECUTION", Action: "FAIL", Error: { ErrorType: "E" } });
    const second = stackOn(folder);
    expect(second.engine.list().map(({ status }) => status)).toEqual(["FAILED"]);
    const late = stackOn(newFolder());
    late.start();
    late.clock.skip(3_600_000);
    expect(late.engine.list().map(({ status }) => status)).toEqual(["TIMED_OUT"]);
  });

  it("leaves out a record that was not written whole, and goes on writing after it", () => {
    const folder = newFolder();
    const first = stackOn(folder);
    first.update(first.start(), done);
    const [name = ""] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"kind":"updated","atMs":17');
    const second = stackOn(folder);
    expect(second.operations()).toEqual([["a", "SUCCEEDED"]]);
    const [execution] = second.engine.list();
    if (execution === undefined) throw new Error("there is no execution");
    second.update(execution, { ...done, Id: "b" });
    expect(stackOn(folder).operations()).toEqual([
      ["a", "SUCCEEDED"],
      ["b", "SUCCEEDED"],
    ]);
  });

  it("forgets one of which not even the start was written", () => {
    const folder = newFolder();
    appendFileSync(join(folder, "half.jsonl"), '{"kind":"star');
    expect(stackOn(folder).engine.list()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
