import { randomBytes, randomUUID } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { S3FileStore } from "../../../shared/files/s3-file-store.ts";
import { useAwsStandIn } from "../../support/aws-stand-in.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { fileStoreSuite } from "../../support/ports/file-store.suite.ts";

const aws = useAwsStandIn();
const bucket = `files-${randomUUID()}`;

async function create() {
  const { url, region, admin, objects } = aws();
  await objects.createBucket(bucket);
  const client = new S3Client({
    endpoint: url,
    region,
    credentials: admin,
    maxAttempts: 1,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return new S3FileStore({ client, bucket, tableId: async () => "table-1" });
}

fileStoreSuite(create);

describe("the file store's presigned requests", () => {
  const body = randomBytes(100_000);

  it("carry a file up and down without credentials", async () => {
    const files = await create();
    const key = files.uploadKey(anOrganization(), randomUUID());
    const put = await files.presignPut(key, { contentLength: body.byteLength, expiresInSeconds: 60 });
    expect(new URL(put.url).searchParams.get("X-Amz-SignedHeaders")).toBe(
      "content-length;host;if-none-match",
    );
    const uploaded = await fetch(put.url, { method: "PUT", headers: put.headers, body });
    expect(uploaded.status).toBe(200);
    const get = await files.presignGet(key, { expiresInSeconds: 60, filename: 'ä "report".pdf' });
    const downloaded = await fetch(get.url);
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(body)).toBe(true);
    expect(downloaded.headers.get("content-disposition")).toBe(
      "attachment; filename=\"_ _report_.pdf\"; filename*=UTF-8''%C3%A4%20%22report%22.pdf",
    );
  });

  it("are refused with another length than the signed one", async () => {
    const files = await create();
    const key = files.uploadKey(anOrganization(), randomUUID());
    const put = await files.presignPut(key, { contentLength: body.byteLength, expiresInSeconds: 60 });
    const headers = { "if-none-match": "*" };
    const refused = await fetch(put.url, { method: "PUT", headers, body: body.subarray(1) });
    expect(refused.status).toBe(403);
    expect(await files.size(key)).toBeUndefined();
  });

  it("make an object once: it cannot be replaced, nor put without the condition", async () => {
    const files = await create();
    const key = files.uploadKey(anOrganization(), randomUUID());
    const { url, headers } = await files.presignPut(key, { contentLength: 3, expiresInSeconds: 60 });
    const put = async (body: string, sent: Record<string, string>) =>
      (await fetch(url, { method: "PUT", headers: sent, body })).status;
    const { "if-none-match": _, ...unconditional } = headers;
    expect(await put("abc", unconditional)).toBe(403);
    expect(await put("abc", headers)).toBe(200);
    expect(await put("xyz", headers)).toBe(412);
    expect(await put("xyz", unconditional)).toBe(403);
    expect(Buffer.from((await files.get(key, 3)) ?? []).toString()).toBe("abc");
    await files.remove(key);
  });

  it("take any length when none is known", async () => {
    const files = await create();
    const key = files.tunnelKey(anOrganization(), randomUUID());
    const put = await files.presignPut(key, { expiresInSeconds: 60 });
    expect(put.headers).toEqual({ "if-none-match": "*" });
    const { url, headers } = put;
    expect((await fetch(url, { method: "PUT", headers, body: "abc" })).status).toBe(200);
    expect(await files.size(key)).toBe(3);
  });

  it("tag what belongs to an entity with its table, uploaded or put", async () => {
    const files = await create();
    const [uploaded, put] = [1, 2].map(() =>
      files.attachmentKey(anOrganization(), randomUUID(), randomUUID()),
    );
    const { url, headers } = await files.presignPut(uploaded ?? "", {
      contentLength: 3,
      expiresInSeconds: 60,
    });
    const { "x-amz-tagging": _, ...untagged } = headers;
    expect((await fetch(url, { method: "PUT", headers: untagged, body: "abc" })).status).toBe(403);
    expect((await fetch(url, { method: "PUT", headers, body: "abc" })).status).toBe(200);
    await files.put(put ?? "", new Uint8Array(3), "text/plain");
    expect([await files.tableOf(uploaded ?? ""), await files.tableOf(put ?? "")]).toEqual([
      "table-1",
      "table-1",
    ]);
    const passing = files.tunnelKey(anOrganization(), randomUUID());
    await files.put(passing, new Uint8Array(3), "text/plain");
    expect([await files.tableOf(passing), await files.tableOf(`${passing}0`)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("live at most an hour, whatever is asked for", async () => {
    const files = await create();
    const key = files.tunnelKey(anOrganization(), randomUUID());
    const [put, get] = [
      await files.presignPut(key, { expiresInSeconds: 7_200 }),
      await files.presignGet(key, { expiresInSeconds: 7_200 }),
    ];
    for (const { url, expiresInSeconds } of [put, get]) {
      expect(expiresInSeconds).toBe(3_600);
      expect(new URL(url).searchParams.get("X-Amz-Expires")).toBe("3600");
    }
  });
});
