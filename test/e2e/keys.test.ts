import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { FakePeer } from "../support/fake-peer/fake-peer.ts";
import { ask, createOrganization, keyOf, sweep } from "../support/stack/stack-client.ts";
import { openStackTable, type StackTable } from "../support/stack/storage.ts";
import { until } from "../support/stack/until.ts";

const program = fileURLToPath(new URL("../../infra/keys/main.ts", import.meta.url));

interface KeysAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run keys` on the stack's table as on a deployed one: --table names it, the environment has its address. */
async function runKeysCommand({ name, url }: StackTable, args: readonly string[]): Promise<KeysAnswer> {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, [program, ...args, "--table", name], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

let table: StackTable;

beforeAll(async () => {
  table = await openStackTable();
});
afterAll(() => table?.client.destroy());

const keys = (...args: readonly string[]) => runKeysCommand(table, args);

async function createKey(organizationId: string, scopes: string, ...rest: readonly string[]) {
  const made = await keys("create", "--organization", organizationId, "--scopes", scopes, ...rest);
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(organizationId)]);
  const key = made.stdout.trim();
  return { key, id: key.split("_")[1] ?? "", said: made.stderr };
}

describe("npm run keys", () => {
  it("makes a key that works at once, for the first user of a new organization", async () => {
    const organizationId = `org_${randomUUID().slice(0, 8)}`;
    const userId = randomUUID();
    const { key, said } = await createKey(organizationId, "read,write", "--user", userId, "--name", "first");
    expect(key).toMatch(/^das_[0-9a-f]{32}_[0-9A-Za-z]{49}$/);
    expect(said).not.toContain(key);
    const made = await ask("/v1/machines", { key, body: { fingerprint: randomUUID() } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ organization_id: organizationId, user_id: userId });
  });

  it("lists an organization's keys, newest first, without a secret", async () => {
    const organizationId = `org_${randomUUID().slice(0, 8)}`;
    const first = await createKey(organizationId, "read", "--name", "one");
    const second = await createKey(organizationId, "driver", "--name", "two");
    const listed = await keys("list", "--organization", organizationId);
    const lines = listed.stdout.trim().split("\n");
    expect([listed.code, lines.length]).toEqual([0, 2]);
    expect(lines.find((line) => line.startsWith(first.id))).toMatch(/active\tnever used\tread\tone$/);
    expect(lines.find((line) => line.startsWith(second.id))).toMatch(/active\tnever used\tdriver\ttwo$/);
    expect(listed.stdout).not.toContain(first.key.split("_")[2]);
  });

  it.each([
    ["no organization", ["create", "--scopes", "read"], /--organization/],
    ["a key that nobody has", ["revoke", "--key", "0".repeat(32)], /there is no key/],
  ])("answers %s with one sentence", async (_what, args, sentence) => {
    const answer = await keys(...args);
    expect([answer.code, answer.stdout]).toEqual([1, ""]);
    expect(answer.stderr).toMatch(sentence);
    expect(answer.stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("an organization", () => {
  it("opens a tunnel by a key that it made, and deletes one of the operator's program", async () => {
    const organization = await createOrganization();
    const body = { name: "a desktop", scopes: ["driver"], expires_at: "2099-01-01T00:00:00Z" };
    const made = await ask("/v1/api-keys", { key: keyOf(organization, "full"), body });
    const authorization = `Bearer ${made.body.api_key}`;
    const peer = await FakePeer.connect({ url: inject("stack").websocketUrl, authorization });
    await peer.next("welcome");
    await peer.close();
    const { key, id } = await createKey(organization.organization_id, "admin");
    const uuid = id.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    expect((await ask(`/v1/api-keys/${uuid}`, { method: "DELETE", key })).status).toBe(204);
  });
});

describe("a revoked key", () => {
  it("is refused within 30 s, and the connections that it opened are said goodbye to", async () => {
    const organization = await createOrganization();
    const full = await createKey(organization.organization_id, "read,write");
    const driver = await createKey(organization.organization_id, "driver");
    const url = inject("stack").websocketUrl;
    const authorization = `Bearer ${driver.key}`;
    const peer = await FakePeer.connect({ url, authorization });
    const { machine_id: machineId } = await peer.next("welcome");
    const other = await FakePeer.connect({ url, authorization: `Bearer ${keyOf(organization, "driver")}` });
    await other.next("welcome");
    expect((await ask("/v1/machines", { key: full.key })).status).toBe(200);

    // The whole key or its id: either names it.
    expect((await keys("revoke", "--key", full.id)).code).toBe(0);
    const revoked = await keys("revoke", "--key", driver.key);
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining(driver.id)]);
    expect(revoked.stdout + revoked.stderr).not.toContain(driver.key);
    const startedMs = performance.now();
    // The time at which the last accepted request was sent, since its response may be slow on a busy machine.
    let lastMs = startedMs;
    // An instance that has not cached the key refuses it earlier than one that has.
    let refusedInRow = 0;
    const isRefused = async () => {
      const sentMs = performance.now();
      const { status, body } = await ask("/v1/machines", { key: full.key });
      if (status === 200) lastMs = sentMs;
      refusedInRow = status === 401 && body.error_code === "invalid_credentials" ? refusedInRow + 1 : 0;
      return refusedInRow === 3;
    };
    await until(isRefused, 60_000);
    expect(lastMs - startedMs).toBeLessThan(30_000);

    // The sweeper's role allows every call of this.
    await sweep();
    expect(await peer.next("goodbye")).toMatchObject({ code: "revoked", retry_after_seconds: null });
    await peer.closed();
    const machine = await ask(`/v1/machines/${machineId}`, { key: keyOf(organization, "full") });
    expect(machine.body.status).toBe("disconnected");
    expect(other.isOpen).toBe(true);
    const refusal = async () => {
      const dialled = await FakePeer.dial({ url, authorization });
      if (dialled.kind === "open") await dialled.peer.close();
      return dialled.kind === "refused" ? dialled.status : undefined;
    };
    // Every instance must refuse the key: one that has not cached it refuses it earlier than one that has.
    const areRefused = async () => {
      for (let dials = 0; dials < 3; dials += 1) if ((await refusal()) !== 401) return false;
      return true;
    };
    await until(areRefused, 35_000);
    await other.close();
  });
});
