import { AwsError, notImplemented } from "../aws-error.ts";
import type { Answer, ServiceCall } from "../service-call.ts";
import { unsignedPayload } from "../sigv4.ts";
import { decodeAwsChunked } from "./aws-chunked.ts";
import { objectArn, requireBucket } from "./bucket.ts";
import { type ChecksumHeader, checksumHeader, UploadDigests } from "./checksum.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Target } from "./s3-request.ts";

const streamingUnsigned = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
const objectBytesMax = 5 * 1024 ** 3;

const headersKept = ["content-type", "cache-control", "content-disposition", "content-language", "expires"];

type Checksums = Map<ChecksumHeader, string>;

/** The object gets its name only when length, hash and checksums are right. */
export async function putObject(store: ObjectStore, call: ServiceCall, target: S3Target): Promise<Answer> {
  const tagging = call.headers["x-amz-tagging"];
  call.authorize([
    { action: "s3:PutObject", resource: objectArn(target) },
    ...(tagging === undefined ? [] : [{ action: "s3:PutObjectTagging", resource: objectArn(target) }]),
  ]);
  requireBucket(store, target.bucket);
  refuseUnlessAbsent(store, call, target);
  const declaredBytes = declaredLength(call);
  const checksums = headerChecksums(call);
  const digests = new UploadDigests({
    sha1: announces(call, checksums, "x-amz-checksum-sha1"),
    sha256: isHash(call.payloadHash) || announces(call, checksums, "x-amz-checksum-sha256"),
  });
  const upload = await store.receive(target.bucket, digests.through(objectBytes(call, checksums)));
  try {
    if (upload.sizeBytes !== declaredBytes) throw incomplete();
    verifyDigests(call, digests, checksums);
    refuseUnlessAbsent(store, call, target);
  } catch (error) {
    await store.discard(target.bucket, upload.file);
    throw error;
  }
  const etag = digests.md5().toString("hex");
  await store.put(target.bucket, {
    key: target.key,
    sizeBytes: upload.sizeBytes,
    etag,
    lastModifiedMs: Date.now(),
    headers: { ...keptHeaders(call), ...Object.fromEntries(checksums) },
    ...(typeof tagging === "string" && { tagging }),
    file: upload.file,
  });
  return { status: 200, headers: { etag: `"${etag}"`, ...Object.fromEntries(checksums) } };
}

function refuseUnlessAbsent(store: ObjectStore, call: ServiceCall, { bucket, key }: S3Target): void {
  if (call.headers["if-none-match"] !== "*" || !store.find(bucket, key)) return;
  throw new AwsError(
    412,
    "PreconditionFailed",
    "At least one of the pre-conditions you specified did not hold",
    { fields: { Condition: "If-None-Match" } },
  );
}

function declaredLength(call: ServiceCall): number {
  const decoded = call.headers["x-amz-decoded-content-length"];
  const declared = typeof decoded === "string" ? decoded : call.headers["content-length"];
  if (declared === undefined) {
    throw new AwsError(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
  }
  const bytes = Number(declared);
  if (bytes > objectBytesMax) {
    throw new AwsError(400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
  }
  return bytes;
}

function headerChecksums(call: ServiceCall): Checksums {
  const found: Checksums = new Map();
  // A presigner moves a checksum that it was given, or computed of an empty body, into the query.
  const sent = [...Object.entries(call.headers), ...(call.presigned ? call.query : [])];
  for (const [name, value] of sent) {
    const header = checksumHeader(name);
    if (header && typeof value === "string") found.set(header, value);
  }
  return found;
}

function announces(call: ServiceCall, checksums: Checksums, header: ChecksumHeader): boolean {
  return checksums.has(header) || String(call.headers["x-amz-trailer"] ?? "").includes(header);
}

function objectBytes(call: ServiceCall, checksums: Checksums): AsyncIterable<Uint8Array> {
  const raw = call.stream.iterator({ destroyOnReturn: false });
  if (call.payloadHash === streamingUnsigned) {
    return decodeAwsChunked(raw, (name, value) => {
      const header = checksumHeader(name);
      if (header) checksums.set(header, value);
    });
  }
  if (call.payloadHash !== unsignedPayload && !isHash(call.payloadHash)) {
    throw notImplemented(`S3 uploads with x-amz-content-sha256 ${call.payloadHash}`);
  }
  return raw;
}

function verifyDigests(call: ServiceCall, digests: UploadDigests, checksums: Checksums): void {
  if (isHash(call.payloadHash) && digests.sha256Hex() !== call.payloadHash) {
    throw new AwsError(
      400,
      "XAmzContentSHA256Mismatch",
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  const contentMd5 = call.headers["content-md5"];
  if (contentMd5 !== undefined && contentMd5 !== digests.md5().toString("base64")) {
    throw new AwsError(400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
  }
  for (const [header, value] of checksums) {
    if (digests.of(header) === value) continue;
    const algorithm = header.slice("x-amz-checksum-".length).toUpperCase();
    throw new AwsError(
      400,
      "BadDigest",
      `The ${algorithm} you specified did not match the calculated checksum.`,
    );
  }
  const announced = call.headers["x-amz-trailer"];
  const header = typeof announced === "string" ? checksumHeader(announced) : undefined;
  if (header && !checksums.has(header)) {
    throw new AwsError(
      400,
      "MalformedTrailerError",
      "The request contained trailing data that was not well-formed",
    );
  }
}

function keptHeaders(call: ServiceCall): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.headers)) {
    if (typeof value !== "string") continue;
    if (headersKept.includes(name) || name.startsWith("x-amz-meta-")) kept[name] = value;
  }
  // `aws-chunked` describes the transfer, not the object.
  const encodings = String(call.headers["content-encoding"] ?? "")
    .split(",")
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== "" && encoding !== "aws-chunked");
  return encodings.length === 0 ? kept : { ...kept, "content-encoding": encodings.join(",") };
}

function isHash(payloadHash: string): boolean {
  return /^[0-9a-f]{64}$/.test(payloadHash);
}

function incomplete(): AwsError {
  return new AwsError(
    400,
    "IncompleteBody",
    "You did not provide the number of bytes specified by the Content-Length HTTP header",
  );
}
