import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DescribeTableCommand, paginateScan } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { demoInputs } from "../../infra/local/demo/demo-definition.ts";
import { seedDemo } from "../../infra/local/demo/seed-demo.ts";
import { StreamClient, type StreamRecord } from "../../infra/local/events/stream-client.ts";
import { CreatedChain } from "../../shared/contract/run/chain.ts";
import { CreatedRuns, Run, RunInputs } from "../../shared/contract/run/run.ts";
import { canariesIn, canary, textOfItem } from "../support/stack/canaries.ts";
import { made, receiverUrl } from "../support/stack/own-resources.ts";
import { hasEnded, readRun, serviceWorkflow } from "../support/stack/service-runs.ts";
import type { SpawnedDriver } from "../support/stack/spawn-driver.ts";
import {
  ask,
  control,
  createOrganization,
  driverOf,
  keyOf,
  type Organization,
} from "../support/stack/stack-client.ts";
import { openStackTable, type StackTable } from "../support/stack/storage.ts";
import { until } from "../support/stack/until.ts";

async function watchStream({
  client,
  name,
  url,
}: StackTable): Promise<() => Promise<readonly StreamRecord[]>> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const arn = Table?.LatestStreamArn ?? "";
  const credentials = { accessKeyId: "local", secretAccessKey: "local", sessionToken: "local" };
  const stream = new StreamClient({ endpointUrl: url, region: "us-east-1", credentials });
  const begun = new Map<string, string>();
  for (const { shardId } of await stream.shards(arn)) {
    begun.set(shardId, await stream.iterator(arn, shardId, { from: "LATEST" }));
  }
  return async () => {
    const records: StreamRecord[] = [];
    for (const { shardId } of await stream.shards(arn)) {
      let next = begun.get(shardId) ?? (await stream.iterator(arn, shardId, { from: "TRIM_HORIZON" }));
      for (;;) {
        const page = await stream.records(next);
        records.push(...page.records);
        if (page.records.length === 0 || page.next === undefined) break;
        next = page.next;
      }
    }
    return records;
  };
}

/** Values that may be found nowhere. Inputs, which the API lists, may be in the rows of runs, but nowhere else. */
const hidden = {
  ofMachine: canary("machine"),
  ofPool: canary("pool"),
  ofRun: canary("run"),
  ofBulk: canary("bulk"),
  ofChain: canary("chain"),
  typed: canary("typed"),
  shell: canary("shell"),
  clipboard: canary("clipboard"),
  file: canary("file"),
  ofService: canary("service"),
};
const input = canary("input");
/** A text in an input file, which may be in the file's object, returned by the API, and nowhere else. */
const attachment = canary("attachment");

let organization: Organization;
let driver: SpawnedDriver;
let desk: SpawnedDriver;
let table: StackTable;
let recorded: Awaited<ReturnType<typeof watchStream>>;
/** A desktop token, which is in a recorded response. */
let token = "";
let signing = "";

beforeAll(async () => {
  organization = await createOrganization();
  driver = await driverOf(organization);
  desk = await driverOf(organization);
  table = await openStackTable();
  recorded = await watchStream(table);
});
afterAll(async () => {
  table?.client.destroy();
  await Promise.all([driver?.stop(), desk?.stop()]);
});

async function twice(path: string, body: unknown, asked: { method?: string; key?: string } = {}) {
  const headers = { "idempotency-key": randomUUID() };
  const request = { key: keyOf(organization, "full"), headers, body, ...asked };
  const first = await ask<unknown>(path, request);
  const again = await ask<unknown>(path, request);
  expect([first.status, again.headers.get("idempotency-status")]).toEqual([again.status, "replayed"]);
  return first.body;
}

async function doAll(): Promise<void> {
  const { machineId } = driver;
  const key = keyOf(organization, "full");
  const computer = `/v1/computer/${machineId}`;
  await twice(
    `/v1/machines/${machineId}`,
    { machine_sensitive_parameters: { door: hidden.ofMachine } },
    { method: "PATCH" },
  );
  await twice("/v1/pools", { name: "canaries", pool_sensitive_parameters: { vpn: hidden.ofPool } });
  await twice(`${computer}/input/keyboard/type`, { text: hidden.typed });
  const actions = [
    { type: "type", text: hidden.typed },
    { type: "copy_to_clipboard", text: hidden.clipboard },
  ];
  const batch = await twice(`${computer}/batch`, { actions, screenshot: true });
  expect(JSON.stringify(batch)).toContain(hidden.clipboard);
  const printed = Buffer.from(hidden.shell).toString("base64");
  const shell = await twice(`${computer}/shell/exec`, { command: `echo ${printed} | base64 -d` });
  expect(JSON.stringify(shell)).toContain(hidden.shell);
  await twice(`${computer}/copy_to_clipboard`, { text: hidden.clipboard });
  const content = Buffer.from(hidden.file).toString("base64");
  await twice(`${computer}/fs/write`, { path: "canary.txt", content });
  await ask(`${computer}/fs/read?path=canary.txt&as=inline`, { key });
  const jwt = { key: organization.jwt };
  const made = await twice("/api/driver/connection-token", { remotePeerId: "peer" }, jwt);
  token = (made as { desktopToken: string }).desktopToken;

  const endpoint = await twice("/v1/webhook-endpoints", { url: await receiverUrl() });
  signing = (endpoint as { secret: string }).secret.slice("whsec_".length);
  const workflow = await ask<{ id: string }>("/v1/workflows", {
    key,
    body: { main_prompt: "Open it.", executor: "worker", is_webhooks_enabled: true },
  });
  const common = { workflow_id: workflow.body.id, input_values: { customer: input } };
  const waiting = { ...common, sensitive_input_values: { pin: hidden.ofBulk }, count: 3 };
  CreatedRuns.parse(await twice("/v1/runs/bulk", { ...waiting, machine_id: machineId }));
  const steps = [{ workflow_id: workflow.body.id, sensitive_inputs: { pin: hidden.ofChain } }];
  CreatedChain.parse(await twice("/v1/runs/chain", { steps, shared_inputs: { customer: input } }));
  const sensitive = { ...common, machine_id: machineId, sensitive_input_values: { pin: hidden.ofRun } };
  Run.parse(await twice("/v1/runs", sensitive));
  const running = async () =>
    (await ask<{ items: readonly Run[] }>(`/v1/runs?status=running&machine_id=${machineId}`, { key })).body
      .items;
  await until(async () => (await running()).length === 1);
  const [run] = await running();
  const inputs = await ask(`/v1/runs/${run?.id}/inputs`, { key });
  const values = { pin: expect.stringMatching(/^canary-/), door: hidden.ofMachine };
  expect(RunInputs.parse(inputs.body).sensitive_input_values).toEqual(values);
  const end = { status: "success", assignment_id: run?.assignment_id };
  await ask(`/v1/runs/${run?.id}`, { method: "PATCH", key, body: end });
  const deliveries = `/v1/webhook-endpoints/${(endpoint as { id: string }).id}/deliveries`;
  await until(async () => {
    const list = await ask(deliveries, { key });
    return JSON.stringify(list.body).includes('"run.complete"');
  });
}

async function carryOut({ machineId: machine_id, root }: SpawnedDriver): Promise<void> {
  const key = keyOf(organization, "full");
  const sensitive_input_values = { pin: hidden.ofService };
  const run = async (fields: object) => {
    const id = await made(key, "/v1/runs", { machine_id, sensitive_input_values, ...fields });
    await until(async () => await hasEnded(key, id));
    return await readRun(key, id);
  };
  const demo = await seedDemo({ baseUrl: inject("stack").baseUrl, apiKey: key });
  const typed = await run({ workflow_id: demo, input_values: demoInputs.input_values });
  expect(typed).toMatchObject({ status: "success", error: [] });
  await ask(`/v1/runs/${typed.id}/generate-trajectory`, { method: "POST", key });

  await mkdir(join(root, "Transfers"), { recursive: true });
  await writeFile(join(root, "Transfers", "pin"), hidden.ofService);
  const path = "~/Transfers/pin";
  const given = [
    { type: "read_file", path, save_as: "file" },
    { type: "shell", command: "cat Transfers/pin", save_as: "shell" },
    { type: "finish", output: { file: "{file}", shell: "{shell}" } },
  ];
  const reading = await serviceWorkflow(key, given, { allow_shell: true });
  const file = { filename: "letter.txt", content: btoa(attachment) };
  const read = await run({ workflow_id: reading.workflowId, file_inputs: [file] });
  expect(read).toMatchObject({ status: "success", output_data: { file: "{$pin}", shell: "{$pin}" } });

  const refused = { type: "shell", command: "cat Transfers/pin >&2; exit 1", save_as: "nothing" };
  const failing = await serviceWorkflow(key, [refused], { allow_shell: true });
  const failed = await run({ workflow_id: failing.workflowId });
  expect(failed).toMatchObject({
    error_code: "step_failed",
    error: [expect.stringContaining("{$pin}"), expect.any(String)],
  });
}

async function rows(): Promise<readonly Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client: table.client }, { TableName: table.name })) {
    all.push(...Items);
  }
  return all;
}

function findings(items: readonly unknown[], kindOf: (item: never) => unknown): readonly string[] {
  const all = { ...hidden, input, attachment, token, signing };
  const found = items.flatMap((item) =>
    canariesIn(textOfItem(item), all).map((what) => `${what} in ${kindOf(item as never)}`),
  );
  return [...new Set(found)].sort();
}

interface Kind {
  readonly kind?: { readonly S?: string };
}

it("what customers hide is in no row, no record of the stream, no log, no event, no durable history and no object", async () => {
  // The search itself works at each offset in a group of three bytes.
  for (const before of ["", "x", "xx"]) {
    expect(canariesIn(Buffer.from(`${before}${input}"`).toString("base64"), { input })).toEqual(["input"]);
  }
  // This comes first: the other runs, which wait for a worker, may be assigned to any machine.
  await carryOut(desk);
  await doAll();
  const stored = await rows();
  expect(findings(stored, ({ kind }: Kind) => kind?.S)).toEqual(["input in run"]);
  const kinds = new Set(stored.map(({ kind }) => (kind as { S?: string } | undefined)?.S));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      ...["run_secret", "idempotency_record", "step", "saved_value", "trajectory"],
      ...["webhook_endpoint", "webhook_delivery", "webhook_message"],
    ]),
  );
  const records = await recorded();
  const kindOf = ({ dynamodb }: { dynamodb: { NewImage?: Kind; OldImage?: Kind } }) =>
    (dynamodb.NewImage ?? dynamodb.OldImage)?.kind?.S;
  expect(findings(records, kindOf)).toEqual(["input in run"]);
  expect(records.map((record) => kindOf(record as never))).toContain("mailbox_part");

  // The last lines are still on their way to the file.
  await pause(500);
  const log = await readFile(inject("stack").logFile, "utf8");
  expect(log).toContain(driver.machineId);
  const { items: events } = await control<{ items: readonly unknown[] }>("/aws/events");
  const { items: messages } = await control<{ items: readonly unknown[] }>("/aws/messages");
  const { folder } = await control<{ folder: string }>("/aws/objects");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const objects = await Promise.all(files.map(async (file) => (await readFile(file)).toString("latin1")));
  expect(findings(objects, () => "object")).toEqual(["attachment in object"]);
  const { items: histories } = await control<{ items: readonly unknown[] }>("/durable/histories");
  expect(JSON.stringify(histories)).toContain("StepSucceeded");
  const elsewhere = [log, driver.log(), desk.log(), ...events, ...messages, ...histories];
  expect(findings(elsewhere, () => "log, event, dead letter or durable history")).toEqual([]);
});
