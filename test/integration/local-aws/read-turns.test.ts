import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished, vi } from "vitest";
import { ObjectStore } from "../../../infra/local/aws/s3/object-store.ts";
import { S3Service } from "../../../infra/local/aws/s3/s3-service.ts";
import type { Answer, ServiceCall } from "../../../infra/local/aws/service-call.ts";
import { bodiesAtOnce, largeBodyBytes, readTurnMs } from "../../../infra/local/lambda/limits.ts";

const bucket = "some-bucket";

async function setUp(bytes: number) {
  const root = await mkdtemp(path.join(tmpdir(), "read-turns-"));
  onTestFinished(async () => await rm(root, { recursive: true, force: true }));
  const store = await ObjectStore.open(root);
  await store.createBucket(bucket);
  const upload = await store.receive(bucket, Readable.from([Buffer.alloc(bytes)]));
  await store.put(bucket, { ...upload, key: "a", etag: "e", lastModifiedMs: 0, headers: {} });
  const service = new S3Service(store);
  const call = {
    method: "GET",
    operation: "GetObject",
    path: `/${bucket}/a`,
    query: new URLSearchParams(),
    headers: {},
    authorize: () => undefined,
  };
  const answers: Answer[] = [];
  onTestFinished(() => {
    for (const { body } of answers) if (body instanceof Readable) body.destroy();
  });
  const read = () =>
    void service.handle(call as unknown as ServiceCall).then((answer) => answers.push(answer));
  return { read, answers };
}

const settled = () => new Promise(setImmediate);

it("hands out one large object after another, so that those who parse them leave a processor to others", async () => {
  const { read, answers } = await setUp(largeBodyBytes);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let at = 0; at < bodiesAtOnce + 1; at += 1) read();
  await settled();
  expect(answers).toHaveLength(bodiesAtOnce);
  vi.advanceTimersByTime(Math.ceil(readTurnMs(largeBodyBytes)));
  await settled();
  expect(answers).toHaveLength(bodiesAtOnce + 1);
});

it("keeps nobody waiting for a small one", async () => {
  const { read, answers } = await setUp(largeBodyBytes - 1);
  for (let at = 0; at < bodiesAtOnce + 1; at += 1) read();
  await settled();
  expect(answers).toHaveLength(bodiesAtOnce + 1);
});
