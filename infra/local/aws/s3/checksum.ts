import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { notImplemented } from "../aws-error.ts";

/** CRC32C and CRC64NVME, which S3 also supports, are refused by name. */
const verifiedChecksums = ["x-amz-checksum-crc32", "x-amz-checksum-sha1", "x-amz-checksum-sha256"] as const;
export type ChecksumHeader = (typeof verifiedChecksums)[number];

const notChecksums = new Set(["x-amz-checksum-mode", "x-amz-checksum-algorithm", "x-amz-checksum-type"]);

export function checksumHeader(name: string): ChecksumHeader | undefined {
  const lower = name.toLowerCase();
  if (!lower.startsWith("x-amz-checksum-") || notChecksums.has(lower)) return undefined;
  const known = verifiedChecksums.find((each) => each === lower);
  if (!known) throw notImplemented(`the checksum ${lower}`);
  return known;
}

export class UploadDigests {
  readonly #md5 = createHash("md5");
  readonly #sha256 = createHash("sha256");
  readonly #sha1 = createHash("sha1");
  #crc32 = 0;
  #result: { readonly md5: Buffer; readonly sha256: Buffer; readonly sha1: Buffer } | undefined;
  readonly #needsSha1: boolean;
  readonly #needsSha256: boolean;

  constructor(needs: { readonly sha1: boolean; readonly sha256: boolean }) {
    this.#needsSha1 = needs.sha1;
    this.#needsSha256 = needs.sha256;
  }

  async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#md5.update(chunk);
      this.#crc32 = crc32(chunk, this.#crc32);
      if (this.#needsSha256) this.#sha256.update(chunk);
      if (this.#needsSha1) this.#sha1.update(chunk);
      yield chunk;
    }
  }

  md5(): Buffer {
    return this.#finish().md5;
  }

  sha256Hex(): string {
    return this.#finish().sha256.toString("hex");
  }

  of(header: ChecksumHeader): string {
    switch (header) {
      case "x-amz-checksum-crc32": {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32BE(this.#crc32);
        return bytes.toString("base64");
      }
      case "x-amz-checksum-sha1":
        return this.#finish().sha1.toString("base64");
      case "x-amz-checksum-sha256":
        return this.#finish().sha256.toString("base64");
    }
  }

  #finish() {
    this.#result ??= { md5: this.#md5.digest(), sha256: this.#sha256.digest(), sha1: this.#sha1.digest() };
    return this.#result;
  }
}
