import { AwsError, notImplemented } from "../aws-error.ts";
import type { Answer, ServiceCall } from "../service-call.ts";
import { bucketArn, requireBucket } from "./bucket.ts";
import type { ObjectRecord, ObjectStore } from "./object-store.ts";
import type { S3Target } from "./s3-request.ts";
import { textElement, xmlDocument } from "./xml.ts";

const keysMax = 1_000;

const otherParameters = ["delimiter", "encoding-type", "continuation-token"] as const;

/** A page begins behind a key (`start-after`). */
export function listObjects(store: ObjectStore, call: ServiceCall, { bucket }: S3Target): Answer {
  const other = otherParameters.find((name) => call.query.has(name));
  if (other !== undefined) throw notImplemented(`ListObjectsV2 with ${other}`);
  const prefix = call.query.get("prefix") ?? "";
  const maxKeys = Math.min(readMaxKeys(call.query.get("max-keys")), keysMax);
  call.authorize([
    {
      action: "s3:ListBucket",
      resource: bucketArn(bucket),
      context: { "s3:prefix": prefix, "s3:delimiter": undefined, "s3:max-keys": String(maxKeys) },
    },
  ]);
  requireBucket(store, bucket);
  const after = Buffer.from(call.query.get("start-after") ?? "");
  const rest = store.list(bucket, prefix).filter(({ key }) => Buffer.compare(Buffer.from(key), after) > 0);
  const page = rest.slice(0, maxKeys);
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: xmlDocument(
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${[
        textElement("Name", bucket),
        textElement("Prefix", prefix),
        textElement("MaxKeys", maxKeys),
        textElement("KeyCount", page.length),
        textElement("IsTruncated", rest.length > page.length && page.length > 0),
        ...page.map(objectXml),
      ].join("")}</ListBucketResult>`,
    ),
  };
}

function objectXml({ key, lastModifiedMs, etag, sizeBytes }: ObjectRecord): string {
  return `<Contents>${[
    textElement("Key", key),
    textElement("LastModified", new Date(lastModifiedMs).toISOString()),
    textElement("ETag", `"${etag}"`),
    textElement("Size", sizeBytes),
    textElement("StorageClass", "STANDARD"),
  ].join("")}</Contents>`;
}

function readMaxKeys(text: string | null): number {
  if (text === null) return keysMax;
  if (!/^\d{1,9}$/.test(text)) throw new AwsError(400, "InvalidArgument", "Provided max-keys not an integer");
  return Number(text);
}
