import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
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

/** An organization with one desktop. */
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

/** Says the truth about the body's length, whatever was announced. */
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

describe("an upload", () => {
  it("takes the length that was announced and no other", async () => {
    const upload = await createUpload(own, 1_000);
    expect((await put(upload, randomBytes(999))).status).toBe(403);
    expect((await put(upload, randomBytes(1_001))).status).toBe(403);
    expect((await put(upload, randomBytes(1_000))).status).toBe(200);
  });

  it("cannot be used before its file is there", async () => {
    const { upload_id } = await createUpload(own, 10);
    const answer = await files(own, "write", { path: "early.bin", upload_id });
    expect([answer.status, answer.body.error_code]).toEqual([404, "not_found"]);
  });

  it("of another organization is not found", async () => {
    const upload = await createUpload(own, 6);
    expect((await put(upload, new Uint8Array(Buffer.from("secret")))).status).toBe(200);
    const stolen = await files(other, "write", { path: "stolen.bin", upload_id: upload.upload_id });
    expect([stolen.status, stolen.body.error_code]).toEqual([404, "not_found"]);
    const listed = await files<{ items: { name: string }[] }>(other, "list");
    expect(listed.body.items.map(({ name }) => name)).not.toContain("stolen.bin");
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

  it("above 4 MB is refused on its way in", async () => {
    const content = Buffer.alloc(4 * megabyte + 3).toString("base64");
    const answer = await files(own, "write", { path: "inline.bin", content });
    expect(answer.status).toBe(422);
    const loc = ["body", "content"];
    expect(answer.body).toMatchObject({
      detail: [
        { loc, type: "string_too_long" },
        { loc, msg: expect.stringContaining("a larger file goes through createUpload") },
      ],
    });
  });

  it("above 4 MB is 413 on its way out, which names the other way", async () => {
    await writeFile(join(own.driver.root, "above.bin"), Buffer.alloc(4 * megabyte + 1));
    const answer = await files(own, "read?path=above.bin");
    expect([answer.status, answer.body.error_code]).toEqual([413, "answer_too_large"]);
    expect(answer.body.message).toContain("as=url");
  });

  it("can be asked for as a link, however small it is", async () => {
    await writeFile(join(own.driver.root, "small.txt"), "small");
    const link = await files<{ url: string; size: number }>(own, "read?path=small.txt&as=url");
    expect([link.status, link.body.size]).toEqual([200, 5]);
    expect(await (await fetch(link.body.url)).text()).toBe("small");
  });

  it("that is not there is the driver's own 404", async () => {
    const answer = await files(own, "read?path=nowhere.txt");
    expect([answer.status, answer.body.error_code]).toEqual([404, "driver_rejected"]);
  });

  it("outside of the driver's folder is refused by the driver: 502, as its own 403 is not the caller's", async () => {
    const answer = await files(own, "read?path=/etc/hostname");
    expect([answer.status, answer.body.error_code]).toEqual([502, "driver_rejected"]);
  });
});

describe("a folder's list", () => {
  it("names files and folders, with sizes and moments", async () => {
    await writeFile(join(other.driver.root, "a.txt"), "abc");
    const answer = await files<{ items: Record<string, unknown>[] }>(other, "list?path=.");
    expect(answer.status).toBe(200);
    expect(answer.body.items).toContainEqual({
      name: "a.txt",
      path: expect.stringMatching(/\/a\.txt$/),
      is_dir: false,
      size: 3,
      modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

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
