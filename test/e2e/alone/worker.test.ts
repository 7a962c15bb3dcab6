import { randomUUID } from "node:crypto";
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ErrorBody } from "../../../shared/contract/errors.ts";
import { Run, RunInputs, RunList } from "../../../shared/contract/run.ts";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { ask, createOrganization, keyOf } from "../../support/stack/stack-client.ts";
import { assignRun, openStackTable, type StackTable } from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

let table: StackTable;

beforeAll(async () => {
  table = await openStackTable();
});
afterAll(() => table?.client.destroy());

/** A running run with a secret of its own, one of its machine's and one of its pool's, as an idempotency record leaves it. */
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
  return { key, worker, machineId, poolId, runId, assignmentId };
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

it("a run's inputs cost two reads, one batch read of the owners, and one read of a secret for each of those", async () => {
  const { key, worker, poolId, runId } = await runningRun();
  const inputs = () => ask(`/v1/runs/${runId}/inputs`, { key: worker });
  await inputs();
  const { counts } = await callsDuring(inputs);
  expect(counts.runs).toEqual({
    "dynamodb GetItem": 2,
    "dynamodb BatchGetItem": 1,
    "secretsmanager GetSecretValue": 2,
  });
  await ask(`/v1/pools/${poolId}`, { method: "PATCH", key, body: { pool_sensitive_parameters: {} } });
  const gone = await inputs();
  expect([gone.status, ErrorBody.parse(gone.body)]).toMatchObject([
    409,
    { error_code: "secrets_gone", details: { aliases: ["vpn"] } },
  ]);
});
