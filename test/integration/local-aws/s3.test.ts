import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { newCredentials } from "../../../infra/local/aws/credentials.ts";
import { clientsOf, clientsOfRole } from "./clients.ts";

/** No table is used here, so nothing responds at this address. */
const noDynamoDb = { url: "http://127.0.0.1:9", port: 9, stop: async () => undefined };
const Bucket = "files";
const soon = { timeout: 30_000 };

let endpoint: AwsEndpoint;
const defects: unknown[] = [];
let dataDir: string;
let s3: S3Client;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "local-aws-test-"));
  endpoint = await startAwsEndpoint({
    dynamoDbLocal: noDynamoDb,
    dataDir,
    onDefect: (error) => defects.push(error),
  });
  await endpoint.objects.createBucket(Bucket);
  s3 = clientsOf(endpoint).s3;
});
afterAll(async () => {
  await endpoint?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function largestFile(): Promise<number> {
  const folder = path.join(dataDir, "objects", Bucket);
  const files = await readdir(folder);
  return Math.max(
    ...(await Promise.all(files.map(async (name) => (await stat(path.join(folder, name))).size))),
  );
}

async function text(key: string, range?: string): Promise<string | undefined> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: key, ...(range && { Range: range }) }));
  return await Body?.transformToString();
}

describe("a page in a browser", () => {
  const origin = "https://dashboard.example.com";
  const Key = "from-a-page";
  const preflight = async (url: string, from: string) =>
    await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin: from,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "content-type",
      },
    });

  it("may put where a rule names its origin, and reads the response", async () => {
    const pages = "files-of-pages";
    await endpoint.objects.createBucket(pages);
    endpoint.allowOrigins(pages, { allowOrigins: [origin], allowMethods: ["GET", "PUT"], maxAgeSeconds: 60 });
    const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket: pages, Key }));
    const asked = await preflight(url, origin);
    expect([asked.status, Object.fromEntries(asked.headers)]).toEqual([
      200,
      expect.objectContaining({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, PUT",
        "access-control-allow-headers": "content-type",
        "access-control-max-age": "60",
      }),
    ]);
    await s3.send(new PutObjectCommand({ Bucket: pages, Key, Body: "hello" }));
    const getUrl = await getSignedUrl(s3, new GetObjectCommand({ Bucket: pages, Key }));
    const got = await fetch(getUrl, { headers: { origin } });
    expect([await got.text(), got.headers.get("access-control-allow-origin")]).toEqual(["hello", origin]);
    expect((await preflight(url, "https://elsewhere.example.com")).status).toBe(403);
  });

  it("may not put where no rule does, or not by this method", async () => {
    const refusalOf = async (asked: Response) => {
      expect(asked.headers.get("access-control-allow-origin")).toBeNull();
      return [asked.status, /<Message>(.*)<\/Message>/.exec(await asked.text())?.[1]];
    };
    const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key }));
    expect(await refusalOf(await preflight(url, origin))).toEqual([
      403,
      "CORSResponse: CORS is not enabled for this bucket.",
    ]);
    const reading = "files-to-read";
    await endpoint.objects.createBucket(reading);
    endpoint.allowOrigins(reading, { allowOrigins: [origin], allowMethods: ["GET"], maxAgeSeconds: 60 });
    const there = await getSignedUrl(s3, new PutObjectCommand({ Bucket: reading, Key }));
    expect(await refusalOf(await preflight(there, origin))).toEqual([
      403,
      "CORSResponse: This CORS request is not allowed.",
    ]);
    expect((await refusalOf(await fetch(there, { method: "OPTIONS" })))[0]).toBe(400);
  });

  it("is any that an origin with a * means, and is named in the response", async () => {
    const pages = "files-of-many-pages";
    await endpoint.objects.createBucket(pages);
    const allowMethods = ["PUT"];
    endpoint.allowOrigins(pages, {
      allowOrigins: ["https://*.example.com"],
      allowMethods,
      maxAgeSeconds: 60,
    });
    const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket: pages, Key }));
    const asked = await preflight(url, origin);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
    });
    expect((await preflight(url, "https://example.com")).status).toBe(403);
    expect((await preflight(url, "http://dashboard.example.com")).status).toBe(403);
  });
});

describe("objects", () => {
  it("gives back bytes, type and metadata as they were put", async () => {
    const Key = "a/ü b+c&d=e/(1)*'.txt";
    const put = await s3.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: "hello",
        ContentType: "text/plain",
        Metadata: { owner: "me" },
      }),
    );
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await got.Body?.transformToString()).toBe("hello");
    expect(got).toMatchObject({
      ContentType: "text/plain",
      ContentLength: 5,
      Metadata: { owner: "me" },
      ETag: put.ETag,
    });
    expect(put.ETag).toBe(`"${createHash("md5").update("hello").digest("hex")}"`);
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key }))).toMatchObject({
      ContentLength: 5,
      ETag: put.ETag,
    });
  });

  it("takes a stream of unknown checksum in chunks, and an empty object", async () => {
    const bytes = randomBytes(3_000_000);
    const Body = Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]);
    await s3.send(new PutObjectCommand({ Bucket, Key: "streamed", Body, ContentLength: bytes.length }));
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: "streamed" }));
    expect(Buffer.compare(Buffer.from((await got.Body?.transformToByteArray()) ?? []), bytes)).toBe(0);
    expect(got.ContentEncoding).toBeUndefined();
    await s3.send(new PutObjectCommand({ Bucket, Key: "empty", Body: "" }));
    expect(await text("empty")).toBe("");
  });

  it("reads ranges, and refuses one beyond the end", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "digits", Body: "0123456789" }));
    expect(await text("digits", "bytes=2-4")).toBe("234");
    expect(await text("digits", "bytes=-2")).toBe("89");
    await expect(text("digits", "bytes=10-")).rejects.toMatchObject({ name: "InvalidRange" });
  });

  it("refuses bytes that do not have the checksum that was sent with them", async () => {
    const put = new PutObjectCommand({ Bucket, Key: "damaged", Body: "hello", ChecksumCRC32: "AAAAAA==" });
    await expect(s3.send(put)).rejects.toMatchObject({ name: "BadDigest" });
    await expect(text("damaged")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("keeps nothing of an upload that is cut off", async () => {
    const url = new URL(await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: "cut-off" })));
    const before = await readdir(path.join(dataDir, "objects", Bucket));
    const upload = request(url, { method: "PUT", headers: { "content-length": "1000000" } });
    upload.on("error", () => undefined);
    upload.write(randomBytes(500_000));
    await vi.waitFor(async () => expect(await largestFile()).toBeGreaterThan(400_000), soon);
    upload.destroy();
    await vi.waitFor(
      async () => expect(await readdir(path.join(dataDir, "objects", Bucket))).toEqual(before),
      soon,
    );
    await expect(text("cut-off")).rejects.toMatchObject({ name: "NoSuchKey" });
    expect(defects).toEqual([]);
  });

  it("makes an object only if absent when asked to", async () => {
    const put = new PutObjectCommand({ Bucket, Key: "once", Body: "1", IfNoneMatch: "*" });
    await s3.send(put);
    await expect(s3.send(put)).rejects.toMatchObject({ name: "PreconditionFailed" });
  });

  it("deletes what is there, and what is not there", async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: "x/<&>", Body: "x" }));
    for (const key of ["x/<&>", "x/1"]) {
      const { $metadata } = await s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
      expect($metadata.httpStatusCode).toBe(204);
    }
    expect((await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "x/" }))).KeyCount).toBe(0);
  });

  it("lists by prefix in pages", async () => {
    for (const key of ["l/a/1", "l/a/2", "l/b", "l/c/1"])
      await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: key }));
    const keys: (string | undefined)[] = [];
    let isTruncated: boolean | undefined;
    do {
      const page = await s3.send(
        new ListObjectsV2Command({ Bucket, Prefix: "l/", MaxKeys: 3, StartAfter: keys.at(-1) }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key));
      isTruncated = page.IsTruncated;
    } while (isTruncated);
    expect(keys).toEqual(["l/a/1", "l/a/2", "l/b", "l/c/1"]);
  });

  it("refuses by name what it does not implement", async () => {
    const response = await fetch(
      await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: "a", VersionId: "1" })),
    );
    expect(response.status).toBe(501);
    expect(await response.text()).toContain("versionId");
    const grouped = new ListObjectsV2Command({ Bucket, Delimiter: "/" });
    await expect(s3.send(grouped)).rejects.toMatchObject({ name: "NotImplemented" });
  });
});

describe("roles", () => {
  it("judges objects and buckets apart, and hides what is missing from who may not list", async () => {
    const reader = clientsOfRole(endpoint, "reader", [
      { Action: "s3:GetObject", Resource: "arn:aws:s3:::files/*" },
    ]).s3;
    await s3.send(new PutObjectCommand({ Bucket, Key: "shared", Body: "1" }));
    await reader.send(new GetObjectCommand({ Bucket, Key: "shared" }));
    await expect(reader.send(new GetObjectCommand({ Bucket, Key: "missing" }))).rejects.toMatchObject({
      name: "AccessDenied",
      message: expect.stringContaining("s3:ListBucket on resource: arn:aws:s3:::files"),
    });
    const denied = { name: "AccessDenied", $metadata: { httpStatusCode: 403 } };
    const put = new PutObjectCommand({ Bucket, Key: "shared", Body: "2" });
    await expect(reader.send(put)).rejects.toMatchObject(denied);
    await expect(reader.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject(denied);
    const elsewhere = new GetObjectCommand({ Bucket: "other", Key: "shared" });
    await expect(reader.send(elsewhere)).rejects.toMatchObject(denied);
    expect(await text("shared")).toBe("1");
  });
});

describe("presigned URLs", () => {
  const presigner = (role: Parameters<typeof clientsOf>[1] = endpoint.admin) =>
    new S3Client({
      endpoint: endpoint.url,
      region: endpoint.region,
      credentials: role,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });

  it("reads and writes with nothing but the URL", async () => {
    const put = await getSignedUrl(presigner(), new PutObjectCommand({ Bucket, Key: "p/1" }), {
      expiresIn: 60,
    });
    expect((await fetch(put, { method: "PUT", body: "presigned" })).status).toBe(200);
    const get = await getSignedUrl(
      presigner(),
      new GetObjectCommand({ Bucket, Key: "p/1", ResponseContentType: "text/x" }),
    );
    const response = await fetch(get);
    expect(await response.text()).toBe("presigned");
    expect(response.headers.get("content-type")).toBe("text/x");
  });

  it("judges the signing role when the URL is used", async () => {
    const credentials = newCredentials();
    const role = { ...credentials, functionName: "signer" };
    const url = await getSignedUrl(presigner(credentials), new GetObjectCommand({ Bucket, Key: "p/1" }));
    endpoint.principals.register({ ...role, policies: [] });
    const refused = await fetch(url);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("s3:GetObject");
    const Statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::files/*" };
    endpoint.principals.register({ ...role, policies: [{ Statement }] });
    expect((await fetch(url)).status).toBe(200);
    endpoint.principals.remove(credentials.accessKeyId);
    expect((await fetch(url)).status).toBe(403);
  });

  it("refuses the checksum of an empty body that a presigner left at its default signs", async () => {
    const url = await getSignedUrl(clientsOf(endpoint).s3, new PutObjectCommand({ Bucket, Key: "p/trap" }));
    const response = await fetch(url, { method: "PUT", body: "not empty" });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("BadDigest");
  });

  it("carries 100 MB both ways, on disk as they come", async () => {
    const megabyte = randomBytes(1_000_000);
    let sent = 0;
    let onDiskAfterHalf = 0;
    const body = async function* () {
      for (; sent < 100; sent++) {
        yield megabyte;
        if (sent === 50) onDiskAfterHalf = await largestFile();
      }
    };
    const put = await getSignedUrl(presigner(), new PutObjectCommand({ Bucket, Key: "large" }));
    const init = { method: "PUT", headers: { "content-length": "100000000" }, duplex: "half" };
    const response = await fetch(put, {
      ...init,
      body: Readable.toWeb(Readable.from(body())),
    } as RequestInit);
    expect(response.status).toBe(200);
    // Between sender and disk there are a few buffers, not the whole object.
    expect(onDiskAfterHalf).toBeGreaterThan(35_000_000);
    expect(onDiskAfterHalf).toBeLessThan(52_000_000);
    const hash = createHash("md5");
    const got = await fetch(await getSignedUrl(presigner(), new GetObjectCommand({ Bucket, Key: "large" })));
    for await (const chunk of got.body ?? []) hash.update(chunk);
    expect(`"${hash.digest("hex")}"`).toBe(response.headers.get("etag"));
  });
});
