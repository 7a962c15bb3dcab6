import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import { type SpawnedDriver, spawnDriver } from "../../support/stack/spawn-driver.ts";
import { ask, createOrganization, keyOf, type Organization } from "../../support/stack/stack-client.ts";

const megabyte = 1024 * 1024;

interface Upload {
  readonly upload_id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expires_in: number;
}

interface Desktop {
  readonly organization: Organization;
  readonly driver: SpawnedDriver;
}

let own: Desktop;
let other: Desktop;

async function connectDesktop(): Promise<Desktop> {
  const organization = await createOrganization();
  const { websocketUrl } = inject("stack");
  return { organization, driver: await spawnDriver({ websocketUrl, key: keyOf(organization, "driver") }) };
}

beforeAll(async () => {
  [own, other] = await Promise.all([connectDesktop(), connectDesktop()]);
});
afterAll(async () => {
  await Promise.all([own?.driver.stop(), other?.driver.stop()]);
});

function files<Body = Record<string, unknown>>(
  { organization, driver }: Desktop,
  operation: string,
  body?: unknown,
) {
  return ask<Body>(`/v1/computer/${driver.machineId}/fs/${operation}`, {
    key: keyOf(organization, "full"),
    ...(body === undefined ? {} : { body }),
  });
}

async function createUpload(desktop: Desktop, size: number): Promise<Upload> {
  const answer = await files<Upload>(desktop, "uploads", { filename: "large.bin", size });
  expect(answer.status).toBe(200);
  return answer.body;
}

const put = ({ url, headers }: Upload, body: Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: "PUT", headers: { ...headers, "content-length": String(body.length) }, body });

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a file of 50 MB", () => {
  const content = randomBytes(50 * megabyte);

  it("is written to a desktop and read back byte for byte, and no function holds it", async () => {
    const { counts, recent } = await callsDuring(async () => {
      const upload = await createUpload(own, content.length);
      expect(upload.expires_in).toBeGreaterThanOrEqual(60);
      expect((await put(upload, content)).status).toBe(200);
      const written = await files<{ size: number }>(own, "write", {
        path: "large.bin",
        upload_id: upload.upload_id,
      });
      expect([written.status, written.body.size]).toEqual([200, content.length]);
      const link = await files<{ url: string; size: number }>(own, "read?path=large.bin&as=url");
      expect([link.status, link.body.size]).toEqual([200, content.length]);
      const download = await fetch(link.body.url);
      expect(download.headers.get("content-disposition")).toContain("large.bin");
      expect(sha256(await download.bytes())).toBe(sha256(content));
    });
    expect(sha256(await readFile(join(own.driver.root, "large.bin")))).toBe(sha256(content));
    // Presigned, the client's and the driver's requests count as the function's; only its own name a worker.
    expect(counts.computer).toMatchObject({ "s3 PutObject": 2, "s3 GetObject": 2 });
    const ownCalls = recent.filter(({ service, worker }) => service === "s3" && worker !== undefined);
    expect(new Set(ownCalls.map(({ operation }) => operation))).toEqual(new Set(["HeadObject"]));
  });

  it("appended to itself grows by its own size", async () => {
    const upload = await createUpload(own, 100_000);
    expect((await put(upload, content.subarray(0, 100_000))).status).toBe(200);
    const write = { path: "grown.bin", upload_id: upload.upload_id, mode: "append" };
    expect((await files<{ size: number }>(own, "write", write)).body.size).toBe(100_000);
    expect((await files<{ size: number }>(own, "write", write)).body.size).toBe(200_000);
  });
});

describe("a file inside a request", () => {
  it.each([
    ["empty", 0],
    ["of 1 KB", 1_000],
    ["of 50 KB", 50_000],
    ["of 70 KB, through the bucket", 70_000],
    ["of 4 MB, through the bucket", 4 * megabyte],
  ])("%s comes back as it was sent", async (_what, size) => {
    const content = randomBytes(size);
    const written = await files<{ size: number }>(own, "write", {
      path: "inline.bin",
      content: content.toString("base64"),
    });
    expect([written.status, written.body.size]).toEqual([200, size]);
    expect(sha256(await readFile(join(own.driver.root, "inline.bin")))).toBe(sha256(content));
    const read = await files<{ content: string; size: number }>(own, "read?path=inline.bin");
    expect([read.status, read.body.size]).toEqual([200, size]);
    expect(sha256(Buffer.from(read.body.content, "base64"))).toBe(sha256(content));
  });
});

describe("a folder's list", () => {
  it("of a thousand files comes through the bucket as a whole", async () => {
    const made = await ask(`/v1/computer/${other.driver.machineId}/shell/exec`, {
      key: keyOf(other.organization, "full"),
      body: { command: "mkdir many && cd many && seq 1000 | xargs touch" },
    });
    expect(made.body).toMatchObject({ exit_code: 0 });
    const answer = await files<{ items: unknown[] }>(other, "list?path=many");
    expect([answer.status, answer.body.items.length]).toEqual([200, 1_000]);
  });
});
