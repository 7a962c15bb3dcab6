import { AwsError } from "../aws-error.ts";
import type { Answer, ServiceCall } from "../service-call.ts";
import { bucketArn, objectArn, requireBucket } from "./bucket.ts";
import { readByteRange } from "./byte-range.ts";
import type { ObjectRecord, ObjectStore } from "./object-store.ts";
import type { S3Target } from "./s3-request.ts";
import { textElement, xmlDocument } from "./xml.ts";

const overrides = {
  "response-content-type": "content-type",
  "response-content-disposition": "content-disposition",
  "response-cache-control": "cache-control",
  "response-content-encoding": "content-encoding",
  "response-content-language": "content-language",
  "response-expires": "expires",
} as const;

export function readObject(store: ObjectStore, call: ServiceCall, target: S3Target): Answer {
  call.authorize([{ action: "s3:GetObject", resource: objectArn(target) }]);
  requireBucket(store, target.bucket);
  const record = store.find(target.bucket, target.key);
  if (!record) throw missing(call, target);
  const refused = precondition(call, record);
  if (refused) return refused;
  const range = readByteRange(call.headers.range, record.sizeBytes);
  if (range === "unsatisfiable") {
    throw new AwsError(416, "InvalidRange", "The requested range is not satisfiable", {
      fields: { RangeRequested: call.headers.range, ActualObjectSize: record.sizeBytes },
    });
  }
  const partial = range !== "whole";
  const { first, last } = partial ? range : { first: 0, last: record.sizeBytes - 1 };
  const headers = {
    ...objectHeaders(call, record, partial),
    "content-length": String(last - first + 1),
    ...(partial && { "content-range": `bytes ${first}-${last}/${record.sizeBytes}` }),
  };
  const status = partial ? 206 : 200;
  if (call.operation === "HeadObject" || last < first) return { status, headers };
  return { status, headers, body: store.read(target.bucket, record, first, last) };
}

export function readTagging(store: ObjectStore, call: ServiceCall, target: S3Target): Answer {
  call.authorize([{ action: "s3:GetObjectTagging", resource: objectArn(target) }]);
  requireBucket(store, target.bucket);
  const record = store.find(target.bucket, target.key);
  if (!record) throw missing(call, target);
  const tags = [...new URLSearchParams(record.tagging)].map(
    ([key, value]) => `<Tag>${textElement("Key", key)}${textElement("Value", value)}</Tag>`,
  );
  const body = xmlDocument(`<Tagging><TagSet>${tags.join("")}</TagSet></Tagging>`);
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

/**
 * A caller who may not list the bucket cannot learn which keys are missing.
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html ("Permissions")
 */
function missing(call: ServiceCall, target: S3Target): AwsError {
  const context = { "s3:prefix": undefined, "s3:delimiter": undefined, "s3:max-keys": undefined };
  call.authorize([{ action: "s3:ListBucket", resource: bucketArn(target.bucket), context }]);
  return new AwsError(404, "NoSuchKey", "The specified key does not exist.", { fields: { Key: target.key } });
}

function precondition(call: ServiceCall, record: ObjectRecord): Answer | undefined {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = call.headers;
  const quoted = `"${record.etag}"`;
  if (ifMatch !== undefined && ifMatch !== "*" && ifMatch !== quoted && ifMatch !== record.etag) {
    throw new AwsError(
      412,
      "PreconditionFailed",
      "At least one of the pre-conditions you specified did not hold",
    );
  }
  const unchanged = ifNoneMatch === "*" || ifNoneMatch === quoted || ifNoneMatch === record.etag;
  return unchanged ? { status: 304, headers: { etag: quoted } } : undefined;
}

function objectHeaders(call: ServiceCall, record: ObjectRecord, partial: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "binary/octet-stream",
    "accept-ranges": "bytes",
    etag: `"${record.etag}"`,
    "last-modified": new Date(record.lastModifiedMs).toUTCString(),
  };
  const withChecksum = call.headers["x-amz-checksum-mode"] === "ENABLED" && !partial;
  for (const [name, value] of Object.entries(record.headers)) {
    if (withChecksum || !name.startsWith("x-amz-checksum-")) headers[name] = value;
  }
  if (withChecksum) headers["x-amz-checksum-type"] = "FULL_OBJECT";
  for (const [parameter, header] of Object.entries(overrides)) {
    const value = call.query.get(parameter);
    if (value !== null) headers[header] = value;
  }
  return headers;
}
