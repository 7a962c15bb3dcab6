import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { made } from "../support/stack/own-resources.ts";
import { ask, createOrganization, fireSchedules, keyOf } from "../support/stack/stack-client.ts";
import { ageSchedules, openStackTable, type StackTable } from "../support/stack/storage.ts";

interface Schedule {
  readonly is_enabled: boolean;
  readonly disabled_reason: string | null;
  readonly last_outcome: string | null;
  readonly last_run_id: string | null;
  readonly next_at: readonly string[];
}

let table: StackTable;

beforeAll(async () => {
  table = await openStackTable();
});

it("a schedule that is due starts its run, with machine, pools, files and metadata, and stops with its key", async () => {
  const organization = await createOrganization();
  const { organization_id } = organization;
  const key = keyOf(organization, "full");
  const workflow_id = await made(key, "/v1/workflows", { main_prompt: "Open the shop.", executor: "worker" });
  const machine_id = await made(key, "/v1/machines", { fingerprint: randomUUID() });
  const pool_id = await made(key, "/v1/pools", { name: randomUUID() });
  // Above 8 KB, contents are in the bucket.
  const content = Buffer.alloc(9_000, "a list ").toString("base64");
  const others = { workflow_id, every_minutes: 60 };
  const schedules = [
    await made(key, "/v1/schedules", {
      ...others,
      machine_id,
      files: [{ filename: "list.txt", content }],
      metadata: { team: "a" },
    }),
    await made(key, "/v1/schedules", { ...others, pool_ids: [pool_id] }),
  ];
  const own = await ask<{ id: string; key: string }>("/v1/api-keys", {
    key,
    body: { name: "a clock", scopes: ["read", "write"] },
  });
  expect(own.status, JSON.stringify(own.body)).toBe(201);
  const stopping = await made(
    String(Object.values(own.body).find((value) => String(value).startsWith("das_"))),
    "/v1/schedules",
    others,
  );
  const deleted = await ask(`/v1/api-keys/${own.body.id}`, { method: "DELETE", key });
  expect(deleted.status).toBe(204);

  const read = async (id: string) => (await ask<Schedule>(`/v1/schedules/${id}`, { key })).body;
  await ageSchedules(table, organization_id);
  await fireSchedules();
  const runIds: (string | null)[] = [];
  for (const id of schedules) {
    const schedule = await read(id);
    expect(schedule).toMatchObject({ is_enabled: true, last_outcome: "started" });
    expect(schedule.next_at).toHaveLength(5);
    const run = await ask(`/v1/runs/${schedule.last_run_id}`, { key });
    expect(run.body).toMatchObject({ schedule_id: id, workflow_id, status: "scheduling" });
    runIds.push(schedule.last_run_id);
  }
  const files = await ask<{ items: readonly object[] }>(`/v1/run-attachments?run_id=${runIds[0]}`, { key });
  expect(files.body.items).toMatchObject([{ filename: "list.txt", size_bytes: 9_000 }]);
  expect(await read(stopping)).toMatchObject({
    is_enabled: false,
    disabled_reason: "key_revoked",
    last_run_id: null,
    next_at: [],
  });

  // A run of one that names a machine and has metadata, by the operation's own function.
  const now = await ask(`/v1/schedules/${schedules[0]}/run-now`, { method: "POST", key });
  expect(now.status, JSON.stringify(now.body)).toBe(201);
  expect(now.body).toMatchObject({ schedule_id: schedules[0], machine_id, metadata: { team: "a" } });

  // Its runs wait for a machine, so the next times are left out.
  await ageSchedules(table, organization_id);
  await fireSchedules();
  for (const [place, id] of schedules.entries()) {
    expect(await read(id)).toMatchObject({ last_outcome: "skipped", last_run_id: runIds[place] });
  }
});
