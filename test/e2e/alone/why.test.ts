import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { causeOf } from "../../../infra/why/causes/cause-of.ts";
import { pageOf } from "../../../infra/why/page.ts";
import { readFacts } from "../../../infra/why/read-facts.ts";
import { createLocalSource } from "../../../infra/why/sources/local-source.ts";
import type { Source } from "../../../infra/why/sources/source.ts";
import type { Fault } from "../../support/providers/provider-server.ts";
import { type StartedProvider, startProvider } from "../../support/providers/start-provider.ts";
import { made } from "../../support/stack/own-resources.ts";
import { hasEnded, readRun, serviceWorkflow } from "../../support/stack/service-runs.ts";
import type { SpawnedDriver } from "../../support/stack/spawn-driver.ts";
import { type SpawnedDrivers, spawnDrivers } from "../../support/stack/spawn-drivers.ts";
import {
  ask,
  control,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";
import { openStackTable, type StackTable } from "../../support/stack/storage.ts";
import { until } from "../../support/stack/until.ts";

const scroll = { type: "scroll", direction: "down", amount: 1 };

let organization: Organization;
let key: string;
let table: StackTable;
let source: Source;
let provider: StartedProvider;
let drivers: SpawnedDrivers;
let mute: SpawnedDriver;
let modelWorkflow: string;

beforeAll(async () => {
  // Other tests have skipped time, too: the engine's clock is not the machine's.
  await control("/durable/skip", { seconds: 60 });
  organization = await createOrganization();
  key = keyOf(organization, "full");
  table = await openStackTable();
  const { controlUrl, controlToken, logFile, websocketUrl } = inject("stack");
  source = createLocalSource(
    { client: table.client, tableName: table.name },
    { controlUrl, controlToken, logFile },
  );
  const fingerprints = Array.from({ length: 5 }, () => randomUUID());
  [provider, drivers, mute] = await Promise.all([
    startProvider("anthropic", () => [{ call: "finish", args: {} }], inject("modelsPort")),
    spawnDrivers({ websocketUrl, key: keyOf(organization, "driver"), fingerprints }),
    driverOf(organization),
  ]);
  if (provider.key.authType !== "api_key") throw new Error("the stand-in has another key");
  const slot = { auth_type: "api_key", api_key: provider.key.apiKey };
  await ask("/v1/provider-credentials/anthropic", { method: "PUT", key, body: slot });
  const model_metadata = { provider: provider.provider, model: provider.model };
  modelWorkflow = await made(key, "/v1/workflows", { main_prompt: "Look at the screen.", model_metadata });
});

afterAll(async () => {
  await control("/durable/release", {});
  // A call of a model that is tried again later would meet another test's stand-in.
  const { items } = (await ask<{ items: readonly { id: string }[] }>("/v1/runs?limit=100", { key })).body;
  const body = { status: "cancelled" };
  await Promise.all(items.map(async ({ id }) => await ask(`/v1/runs/${id}`, { method: "PATCH", key, body })));
  process.kill(mute.pid, "SIGCONT");
  await Promise.all([mute.stop(), drivers.end("SIGTERM"), provider.server.stop()]);
  source.close();
});

const why = async (runId: string) => {
  const facts = await readFacts(source, runId, undefined);
  const [sentence = ""] = pageOf(facts);
  return { ...causeOf(facts), sentence };
};

/** Resolves once the page's first line names the cause. */
async function named(runId: string, code: string): Promise<string> {
  let found = await why(runId);
  await until(async () => {
    if (found.code !== code) found = await why(runId);
    return found.code === code;
  });
  return found.sentence;
}

async function started(workflow_id: string, more: object = {}): Promise<string> {
  return await made(key, "/v1/runs", { workflow_id, ...more });
}

const onMachine = (at: number) => ({ machine_id: drivers.machineIds[at] });

async function askingRun(at: number, fault: Fault): Promise<string> {
  const { server } = provider;
  const before = server.requests.length;
  server.faults.push(fault);
  const id = await started(modelWorkflow, onMachine(at));
  await until(async () => server.requests.length > before);
  return id;
}

describe("npm run why", () => {
  let hangs: string;
  let muted: string;

  it("names an executor that was killed", async () => {
    const id = await askingRun(0, { kind: "hang" });
    await control("/durable/hold", {});
    await control("/functions/executor/crash", {});
    expect(await named(id, "executor_killed")).toMatch(/The executor was ended in the middle of ask 1 at/);
    await control("/durable/release", {});
    // Lambda begins it again, and its call would meet another test's fault.
    await until(async () => await hasEnded(key, id));
  });

  it("names a provider that refuses calls for now", async () => {
    hangs = await askingRun(1, { kind: "hang" });
    process.kill(mute.pid, "SIGSTOP");
    const { workflowId } = await serviceWorkflow(key, [scroll]);
    muted = await started(workflowId, { machine_id: mute.machineId });
    const headers = { "retry-after": "300" };
    const id = await askingRun(2, { kind: "status", status: 529, headers });
    const sentence = await named(id, "provider_unavailable");
    expect(sentence).toMatch(/The provider anthropic \(.+\) refuses calls for now .* again after 300 s/);
  });

  it("names the input that nobody gave", async () => {
    const { model, provider: name } = provider;
    const model_metadata = { provider: name, model };
    const id = await started(
      await made(key, "/v1/workflows", { main_prompt: "Order {item}.", model_metadata }),
      onMachine(3),
    );
    expect(await named(id, "input_missing")).toContain("{item}");
  });

  it("names a replay that diverged", async () => {
    // A scroll, and the demo's elements as if they were recorded on a smaller display.
    const { trajectory } = JSON.parse(await readFile("infra/local/demo/demo.json", "utf8"));
    const workflow_id = await made(key, "/v1/workflows", { main_prompt: "Replay.", replay: "only" });
    const trajectory_data = [{ action: scroll, by: "replay" }, ...trajectory.trajectory_data];
    const body = { trajectory_data, dimensions: { width: 640, height: 480 } };
    const trajectoryId = await made(key, "/v1/trajectories", { ...body, workflow_id, is_approved: true });
    const change = { method: "PATCH", key, body: { is_main: true } };
    expect((await ask(`/v1/trajectories/${trajectoryId}`, change)).status).toBe(200);
    const given = { input_values: { item: "Chair", quantity: 1 }, sensitive_input_values: { pin: "1234" } };
    const id = await started(workflow_id, { ...onMachine(3), ...given });
    expect(await named(id, "replay_diverged")).toContain("record the trajectory anew");
  });

  it("names the run that a session is busy with", async () => {
    const ofWorker = await made(key, "/v1/workflows", { main_prompt: "By hand.", executor: "worker" });
    const first = await started(ofWorker, { ...onMachine(4), start_session: true });
    await until(async () => (await readRun(key, first)).status === "running");
    const { session_id } = await readRun(key, first);
    const second = await started(ofWorker, { session_id });
    expect(await named(second, "session_busy")).toContain(`busy with the run ${first}`);
  });

  it("names the lack of a machine, and a pool that is deleted", async () => {
    const pool = await made(key, "/v1/pools", { name: "gone soon" });
    const id = await started(modelWorkflow, { pool_ids: [pool] });
    expect(await named(id, "no_machine_matches")).toContain(`pools ${pool}`);
    expect((await ask(`/v1/pools/${pool}`, { method: "DELETE", key })).status).toBe(204);
    expect(await named(id, "pool_deleted")).toContain(`The pool ${pool}`);
  });

  it("names a provider that hangs, and a driver that is mute", async () => {
    expect(await named(hangs, "provider_hangs")).toMatch(/has not replied to ask 1 for \d+ s/);
    expect(await named(muted, "driver_mute")).toContain(`The driver of the machine ${mute.machineId}`);
  });

  it("names the organization's limit", async () => {
    // No test has fifty machines.
    const running = Array.from({ length: 50 }, (_, at) => `${at}`.padStart(8, "0"));
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: { pk: { S: `ORG#${organization.organization_id}#EXECUTIONS` }, sk: { S: "#" } },
        UpdateExpression: "ADD running :fifty",
        ExpressionAttributeValues: { ":fifty": { SS: running } },
      }),
    );
    const id = await started(modelWorkflow, onMachine(3));
    expect(await named(id, "organization_limit")).toMatch(/has \d+ runs under way of 50/);
  });
});
