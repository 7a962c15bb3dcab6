import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { durationSecondsMax } from "../../../shared/contract/workflow.ts";
import { clearFaults, injectFault } from "../../support/stack/faults.ts";
import { made } from "../../support/stack/own-resources.ts";
import { durableExecutions, readRun, skipSeconds } from "../../support/stack/service-runs.ts";
import type { SpawnedDriver } from "../../support/stack/spawn-driver.ts";
import {
  ask,
  control,
  createOrganization,
  driverOf,
  keyOf,
  sweep,
} from "../../support/stack/stack-client.ts";
import { ageDue, openStackTable, type StackTable } from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

/** The engine's timeout of an execution, in seconds: a verification may take twice as long as a run. */
const executionTimeoutSeconds = 2 * durationSecondsMax + 86_400 + 3_600;

let table: StackTable;
let driver: SpawnedDriver | undefined;

beforeAll(async () => {
  table = await openStackTable();
});

afterEach(async () => {
  await clearFaults();
  await control("/durable/release", {});
  await driver?.stop();
  driver = undefined;
});

async function heldRun() {
  await control("/durable/hold", {});
  const organization = await createOrganization();
  const key = keyOf(organization, "full");
  driver = await driverOf(organization);
  const workflow_id = await made(key, "/v1/workflows", { main_prompt: "Fill in the form.", replay: "only" });
  const id = await made(key, "/v1/runs", { workflow_id });
  const run = async () => await readRun(key, id);
  await until(async () => (await run()).status === "running");
  const { assignment_id: name } = await run();
  const execution = async () =>
    (await durableExecutions()).filter((each) => each.name === name).map(({ status }) => status);
  /** The sweeper finds it, as it would in a minute or in five. */
  const sweepAged = async () => {
    await ageDue(table, organization.organization_id, ({ kind }) => kind?.S === "execution");
    await sweep();
  };
  return { key, id, run, execution, sweepAged };
}

describe("a run that the service carries out", () => {
  it("is begun once it has its machine, as one execution under its assignment's name", async () => {
    const { run, execution } = await heldRun();
    await until(async () => (await execution()).length > 0);
    expect(await execution()).toEqual(["RUNNING"]);
    await control("/durable/release", {});
    await until(async () => (await run()).status !== "running");
    expect(await run()).toMatchObject({ status: "error", error_code: "trajectory_missing" });
    await until(async () => (await execution())[0] === "SUCCEEDED");
  });

  it("ends when it is cancelled, and when its machine's reservation is cleared", async () => {
    const { key, id, run } = await heldRun();
    const { assignment_id } = await run();
    const cancelled = { status: "cancelled", assignment_id };
    expect((await ask(`/v1/runs/${id}`, { key, method: "PATCH", body: cancelled })).status).toBe(200);
    expect((await ask(`/v1/runs/${id}/retry`, { key, method: "POST", body: {} })).status).toBe(200);
    await until(async () => (await run()).status === "running");
    const { machine_id } = await run();
    const cleared = { reserved_session_id: null };
    expect((await ask(`/v1/machines/${machine_id}`, { key, method: "PATCH", body: cleared })).status).toBe(
      200,
    );
    expect(await run()).toMatchObject({ status: "cancelled" });
  });

  it("waits for one of another organization where all together have a limit, and begins with its place", async () => {
    const limit = async (variables: object) => {
      for (const name of ["matcher", "following"])
        await control(`/functions/${name}/variables`, variables, "PUT");
    };
    await limit({ SERVICE_EXECUTIONS_MAX: "1" });
    const organization = await createOrganization();
    const key = keyOf(organization, "full");
    const other = await driverOf(organization);
    try {
      const first = await heldRun();
      const workflow_id = await made(key, "/v1/workflows", {
        main_prompt: "Fill in the form.",
        replay: "only",
      });
      const id = await made(key, "/v1/runs", { workflow_id });
      const inLine = { pk: { S: "EXECUTIONS_LINE" }, sk: { S: organization.organization_id } };
      const isInLine = async () => {
        const read = new GetItemCommand({ TableName: table.name, Key: inLine, ConsistentRead: true });
        return (await table.client.send(read)).Item !== undefined;
      };
      await until(isInLine);
      expect(await readRun(key, id)).toMatchObject({ waiting_reason: "service_limit" });
      const cancel = async (run: { readonly key: string; readonly id: string }) => {
        const { assignment_id } = await readRun(run.key, run.id);
        const body = { status: "cancelled", assignment_id };
        expect((await ask(`/v1/runs/${run.id}`, { key: run.key, method: "PATCH", body })).status).toBe(200);
      };
      await cancel(first);
      await until(async () => (await readRun(key, id)).status === "running");
      await cancel({ key, id });
      await until(async () => !(await isInLine()));
    } finally {
      await other.stop();
      await limit({});
    }
  });

  it("is begun by the projector where the matcher cannot", async () => {
    const error = { service: "lambda", operation: "Invoke", error: "ServiceException", message: "injected" };
    await injectFault({ ...error, functionName: "matcher", count: null });
    const { execution } = await heldRun();
    await until(async () => (await execution()).length > 0);
    expect(await execution()).toEqual(["RUNNING"]);
  });

  it("is begun and ended by the sweeper where nobody else could", async () => {
    const error = { service: "lambda", error: "ServiceException", message: "injected", count: null };
    await injectFault({ ...error, functionName: "matcher" });
    await injectFault({ ...error, functionName: "projector" });
    await injectFault({ ...error, functionName: "executionswatch" });
    const { run, execution, sweepAged } = await heldRun();
    await sweepAged();
    expect(await execution()).toEqual(["RUNNING"]);
    await skipSeconds(executionTimeoutSeconds);
    expect(await execution()).toEqual(["TIMED_OUT"]);
    await sweepAged();
    expect(await run()).toMatchObject({ status: "error", error_code: "executor_failed" });
  });

  it("ends as executor_failed when its execution does, of which the dead-letter queue has the ids", async () => {
    const { run, execution } = await heldRun();
    await until(async () => (await execution()).length > 0);
    await skipSeconds(executionTimeoutSeconds);
    await until(async () => (await run()).status !== "running");
    const { id, organization_id, assignment_id, ...ended } = await run();
    expect(ended).toMatchObject({
      status: "error",
      error_code: "executor_failed",
      error: ["the service could not go on with the run; it can be retried"],
    });
    expect(await execution()).toEqual(["TIMED_OUT"]);
    const { items } = await control<{ items: readonly { queueName: string; body: string }[] }>(
      "/aws/messages",
    );
    const letters = items.filter(({ queueName }) => queueName.includes("executorDeadLetters"));
    expect(letters.map(({ body }) => JSON.parse(body))).toContainEqual({
      organization_id,
      run_id: id,
      assignment_id,
      part: 1,
    });
  });
});
