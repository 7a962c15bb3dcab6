import { randomUUID } from "node:crypto";
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { Run, RunInputs, RunList } from "../../../shared/contract/run/run.ts";
import { RunStepList } from "../../../shared/contract/run/run-step.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { made } from "../../support/stack/own-resources.ts";
import { ask, createOrganization, driverOf, keyOf } from "../../support/stack/stack-client.ts";
import { assignRun, openStackTable, rowsOf, type StackTable } from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

let table: StackTable;

beforeAll(async () => {
  table = await openStackTable();
});
afterAll(() => table?.client.destroy());

async function runningRun() {
  const organization = await createOrganization();
  const { organization_id: organizationId } = organization;
  const [key, worker] = [keyOf(organization, "full"), keyOf(organization, "worker")];
  const made = async (path: string, body: object) => String((await ask(path, { key, body })).body.id);
  const machineId = await made("/v1/machines", {
    fingerprint: randomUUID(),
    machine_sensitive_parameters: { door: "machine-door", pin: "machine-pin" },
  });
  const poolId = await made("/v1/pools", { name: "p", pool_sensitive_parameters: { vpn: "pool-vpn" } });
  const workflowId = await made("/v1/workflows", { main_prompt: "Open the shop.", executor: "worker" });
  const runId = await made("/v1/runs", {
    workflow_id: workflowId,
    machine_id: machineId,
    input_values: { customer: "Miller" },
    sensitive_input_values: { pin: "own-pin" },
  });
  const assignmentId = await assignRun(table, { organizationId, runId, machineId });
  const owner = (kind: string, id: string) => ({ M: { kind: { S: kind }, id: { S: id } } });
  await table.client.send(
    new UpdateItemCommand({
      TableName: table.name,
      Key: { pk: { S: `ORG#${organizationId}#RUN#${runId}` }, sk: { S: "#" } },
      UpdateExpression: "SET inherited_secrets = :inherited, filter4_pk = :running",
      ExpressionAttributeValues: {
        ":inherited": { M: { door: owner("machine", machineId), vpn: owner("pool", poolId) } },
        ":running": { S: `ORG#${organizationId}#RUN#running` },
      },
    }),
  );
  return { key, worker, machineId, runId, assignmentId };
}

it("a worker finds its machine's run, gets its inputs and secrets, reports and ends it", async () => {
  const { key, worker, machineId, runId, assignmentId } = await runningRun();
  const find = async () =>
    RunList.parse((await ask(`/v1/runs?status=running&machine_id=${machineId}`, { key })).body);
  await until(async () => (await find()).items.length === 1);
  expect((await find()).items).toMatchObject([{ id: runId, assignment_id: assignmentId }]);
  const path = `/v1/runs/${runId}`;
  const answer = await ask(`${path}/inputs`, { key: worker });
  expect(RunInputs.parse(answer.body)).toEqual({
    assignment_id: assignmentId,
    input_values: { customer: "Miller" },
    overrides: {},
    sensitive_input_values: { pin: "own-pin", door: "machine-door", vpn: "pool-vpn" },
  });
  const patch = (body: object) => ask(path, { method: "PATCH", key, body });
  const late = await patch({ status: "success", assignment_id: randomUUID() });
  expect([late.status, ErrorBody.parse(late.body).error_code]).toEqual([409, "assignment_mismatch"]);
  const history = [{ role: "assistant", content: "done" }];
  await patch({ run_message_history: history, assignment_id: assignmentId });
  const ended = await patch({ status: "success", output_data: { total: 3 }, assignment_id: assignmentId });
  expect(Run.parse(ended.body)).toMatchObject({ status: "success", run_message_history: history });
  const after = await ask(`${path}/inputs`, { key: worker });
  expect([after.status, ErrorBody.parse(after.body).error_code]).toEqual([409, "run_not_running"]);
});

it("what a worker does under its assignment is shown as steps, without secrets, and goes with the run", async () => {
  const organization = await createOrganization();
  const { organization_id: organizationId } = organization;
  const [key, worker] = [keyOf(organization, "full"), keyOf(organization, "worker")];
  const secret = "a-very-secret-pin";
  const driver = await driverOf(organization);
  const { machineId } = driver;
  const workflow_id = await made(key, "/v1/workflows", { main_prompt: "Go.", executor: "worker" });
  const runId = await made(key, "/v1/runs", {
    workflow_id,
    machine_id: machineId,
    sensitive_input_values: { pin: secret },
  });
  const run = async () => Run.parse((await ask(`/v1/runs/${runId}`, { key })).body);
  await until(async () => (await run()).status === "running");
  const headers = { "assignment-id": (await run()).assignment_id ?? "" };
  const act = (path: string, body: object, given = headers) =>
    ask(`/v1/computer/${machineId}/${path}`, { key: worker, body, headers: given });
  const late = await act("input/mouse/click", {}, { "assignment-id": randomUUID() });
  expect([late.status, ErrorBody.parse(late.body).error_code]).toEqual([409, "assignment_mismatch"]);
  await act("input/keyboard/type", { text: secret });
  await act("batch", { actions: [{ type: "click", x: 1, y: 2 }], screenshot: true });
  const { counts } = await callsDuring(() => act("input/mouse/click", { x: 3, y: 4 }));
  expect(counts.computer).toMatchObject({ "dynamodb BatchGetItem": 2, "dynamodb TransactWriteItems": 1 });
  const path = `/v1/runs/${runId}/steps`;
  const { items, total } = RunStepList.parse((await ask(path, { key: worker })).body);
  expect(total).toBe(3);
  expect(items.map(({ index, action }) => [index, action.type, action.text])).toEqual([
    [1, "type", "{$pin}"],
    [2, "click", undefined],
    [3, "click", undefined],
  ]);
  const picture = await ask(`${path}/2/screenshot`, { key: worker });
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(JSON.stringify(await rowsOf(table, organizationId, "step"))).not.toContain(secret);
  expect((await ask(`/v1/runs/${runId}`, { method: "DELETE", key })).status).toBe(204);
  await until(async () => {
    const kinds = (await rowsOf(table, organizationId)).map(({ kind }) => kind?.S ?? "");
    return !kinds.some((kind) => ["run", "step", "step_count"].includes(kind));
  });
  await driver.stop();
});
