import { describe, expect, it } from "vitest";
import { decodeAwsChunked } from "../../../infra/local/aws/s3/aws-chunked.ts";

async function* inPieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

async function decode(text: string, pieceBytes: number) {
  const trailers: Record<string, string> = {};
  const parts: Uint8Array[] = [];
  const decoded = decodeAwsChunked(inPieces(text, pieceBytes), (name, value) => {
    trailers[name] = value;
  });
  for await (const part of decoded) parts.push(part);
  return { data: Buffer.concat(parts).toString("utf8"), trailers };
}

const sampleBody =
  "5\r\nhello\r\nC;chunk-signature=0\r\n, all worlds\r\n0\r\nX-Amz-Checksum-Crc32: AAAAAA==\r\n\r\n";

describe("decodeAwsChunked", () => {
  it.each([1, 2, 3, 7, 1000])(
    "gives data and trailers however the bytes arrive (%i at a time)",
    async (bytes) => {
      expect(await decode(sampleBody, bytes)).toEqual({
        data: "hello, all worlds",
        trailers: { "x-amz-checksum-crc32": "AAAAAA==" },
      });
    },
  );

  it.each([
    ["is cut in a chunk", sampleBody.slice(0, 6)],
    ["is cut before its last chunk", sampleBody.slice(0, 10)],
    ["is cut before the end of its trailers", sampleBody.slice(0, -2)],
  ])("refuses a body that %s", async (_, body) => {
    await expect(decode(body, 4)).rejects.toMatchObject({ code: "IncompleteBody" });
  });

  it.each([
    ["has no size", "hello\r\n0\r\n\r\n"],
    ["holds more than its chunk says", "3\r\nhello\r\n0\r\n\r\n"],
    ["never ends its first line", "5".repeat(10_000)],
  ])("refuses a body that %s", async (_, body) => {
    await expect(decode(body, 500)).rejects.toMatchObject({ code: "InvalidRequest" });
  });
});
