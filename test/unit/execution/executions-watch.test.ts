import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createExecutionsWatch } from "../../../functions/executions-watch/app.ts";
import { firstCursor } from "../../../shared/domain/execution/engine/begin-execution.ts";
import type { Cursor, ExecutionJob } from "../../../shared/domain/execution/execution.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { RecordingLogger } from "../../support/tunnel-world/recording-logger.ts";

const detail = { durableExecutionArn: "arn:executor:7/durable-execution/name/id", status: "FAILED" };
const cursor: Cursor = { ...firstCursor(100), element: 9, replayed: 9 };

async function setUp() {
  const stores = createModelStores();
  const logger = new RecordingLogger();
  const { organizationId, id, machineId, assignmentId } = await stores.put.run({
    status: "running",
    executor: "service",
  });
  const job = { organizationId, runId: id, assignmentId: assignmentId ?? "", part: 1 };
  const hears = async (change: Partial<ExecutionJob> | undefined) => {
    const readJobOf = async () => change && { ...job, ...change };
    await createExecutionsWatch({ ...stores, logger, readJobOf })({ detail });
    return await stores.runs.find(organizationId, id);
  };
  const isFree = async () =>
    (await stores.machines.find(organizationId, machineId ?? ""))?.currentRunId === null;
  return { ...stores, logger, job, hears, isFree };
}

describe("an execution that failed", () => {
  it("ends its run as executor_failed, which frees the machine; once", async () => {
    const { hears, isFree, executions, job, logger } = await setUp();
    expect(await isFree()).toBe(false);
    const ended = await hears({});
    expect(ended).toMatchObject({ status: "error", errorCode: "executor_failed" });
    expect(ended?.error).toEqual(["the service could not go on with the run; it can be retried"]);
    expect(await isFree()).toBe(true);
    expect(await executions.find(job.organizationId, job.runId)).toBeUndefined();
    expect(await hears({})).toEqual(ended);
    expect(logger.lines.map(({ fields }) => fields?.ended_run)).toEqual([true, false]);
  });

  it("ends nothing when it had handed the run on; the part that has it does", async () => {
    const { hears, executions, job } = await setUp();
    await executions.begin(job, "arn");
    await executions.handOver(job, "arn", cursor);
    expect(await hears({})).toMatchObject({ status: "running" });
    expect(await hears({ part: 2 })).toMatchObject({ status: "error" });
  });

  it.each([
    ["is of an earlier assignment", { assignmentId: randomUUID() }],
    ["is of a run that is no more", { runId: randomUUID() }],
    ["is known to nobody", undefined],
  ])("ends nothing when it %s", async (_what, change) => {
    const { hears, isFree } = await setUp();
    expect(await hears(change)).toMatchObject({ status: "running" });
    expect(await isFree()).toBe(false);
  });
});
