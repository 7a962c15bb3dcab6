import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callsDuring } from "../../support/stack/aws-calls.ts";
import type { SpawnedDriver } from "../../support/stack/spawn-driver.ts";
import { ask, createOrganization, driverOf, keyOf } from "../../support/stack/stack-client.ts";

const megabyte = 1024 * 1024;

interface Upload {
  readonly upload_id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expires_in: number;
}

let key: string;
let driver: SpawnedDriver;

beforeAll(async () => {
  const organization = await createOrganization();
  key = keyOf(organization, "full");
  driver = await driverOf(organization);
});
afterAll(async () => {
  await driver?.stop();
});

function files<Body = Record<string, unknown>>(operation: string, body?: unknown) {
  return ask<Body>(`/v1/computer/${driver.machineId}/fs/${operation}`, {
    key,
    ...(body === undefined ? {} : { body }),
  });
}

const put = ({ url, headers }: Upload, body: Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: "PUT", headers: { ...headers, "content-length": String(body.length) }, body });

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a file of 50 MB", () => {
  const size = 50 * megabyte;
  const content = randomBytes(size);

  it("is written to a desktop and read back byte for byte, and no function holds it", async () => {
    const { counts, recent } = await callsDuring(async () => {
      const { status, body: upload } = await files<Upload>("uploads", { filename: "large.bin", size });
      expect(status).toBe(200);
      expect(upload.expires_in).toBeGreaterThanOrEqual(60);
      expect((await put(upload, content)).status).toBe(200);
      const written = await files<{ size: number }>("write", {
        path: "large.bin",
        upload_id: upload.upload_id,
      });
      expect([written.status, written.body.size]).toEqual([200, size]);
      const link = await files<{ url: string; size: number }>("read?path=large.bin&as=url");
      expect([link.status, link.body.size]).toEqual([200, size]);
      const download = await fetch(link.body.url);
      expect(download.headers.get("content-disposition")).toContain("large.bin");
      expect(sha256(await download.bytes())).toBe(sha256(content));
    });
    expect(sha256(await readFile(join(driver.root, "large.bin")))).toBe(sha256(content));
    // Presigned, the client's and the driver's requests count as the function's; only its own name a worker.
    expect(counts.computer).toMatchObject({ "s3 PutObject": 2, "s3 GetObject": 2 });
    const ownCalls = recent.filter(({ service, worker }) => service === "s3" && worker !== undefined);
    expect(new Set(ownCalls.map(({ operation }) => operation))).toEqual(new Set(["HeadObject"]));
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
    const written = await files<{ size: number }>("write", {
      path: "inline.bin",
      content: content.toString("base64"),
    });
    expect([written.status, written.body.size]).toEqual([200, size]);
    expect(sha256(await readFile(join(driver.root, "inline.bin")))).toBe(sha256(content));
    const read = await files<{ content: string; size: number }>("read?path=inline.bin");
    expect([read.status, read.body.size]).toEqual([200, size]);
    expect(sha256(Buffer.from(read.body.content, "base64"))).toBe(sha256(content));
  });
});
