import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ObjectStore } from "../../../infra/local/aws/s3/object-store.ts";

const bucket = "some-bucket";
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "object-store-"));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

async function putIn(store: ObjectStore, key: string, text: string): Promise<void> {
  const upload = await store.receive(bucket, Readable.from([Buffer.from(text)]));
  await store.put(bucket, { ...upload, key, etag: "e", lastModifiedMs: 0, headers: {} });
}

async function textOf(store: ObjectStore, key: string): Promise<string | undefined> {
  const record = store.find(bucket, key);
  if (record === undefined) return undefined;
  const chunks = await store.read(bucket, record, 0, record.sizeBytes - 1).toArray();
  return Buffer.concat(chunks).toString();
}

describe("a folder of objects", () => {
  it("has them when it is opened again", async () => {
    const before = await ObjectStore.open(root);
    await before.createBucket(bucket);
    await putIn(before, "a", "first");
    await putIn(before, "a", "second");
    await putIn(before, "b", "other");
    await before.remove(bucket, "b");
    const after = await ObjectStore.open(root);
    expect([await textOf(after, "a"), await textOf(after, "b")]).toEqual(["second", undefined]);
    expect(await readdir(path.join(root, bucket))).toHaveLength(2);
  });

  it("has bytes alone where nobody opens it again", async () => {
    const store = await ObjectStore.open(root, { isTemporary: true });
    await store.createBucket(bucket);
    await putIn(store, "a", "first");
    await putIn(store, "a", "second");
    await putIn(store, "b", "other");
    expect([await textOf(store, "a"), await textOf(store, "b")]).toEqual(["second", "other"]);
    expect((await readdir(path.join(root, bucket))).map((name) => path.extname(name))).toEqual([
      ".bytes",
      ".bytes",
    ]);
    await store.remove(bucket, "a");
    await store.remove(bucket, "b");
    expect(await readdir(path.join(root, bucket))).toEqual([]);
  });
});
