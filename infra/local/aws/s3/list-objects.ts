import { AwsError } from "../aws-error.ts";
import type { Answer, ServiceCall } from "../service-call.ts";
import { bucketArn, requireBucket } from "./bucket.ts";
import type { ObjectRecord, ObjectStore } from "./object-store.ts";
import type { S3Target } from "./s3-request.ts";
import { textElement, xmlDocument } from "./xml.ts";

const keysMax = 1_000;

type Row = { readonly after: string; readonly xml: string; readonly group: "object" | "prefix" };

export function listObjects(store: ObjectStore, call: ServiceCall, { bucket }: S3Target): Answer {
  const prefix = call.query.get("prefix") ?? "";
  const delimiter = call.query.get("delimiter") ?? "";
  const maxKeys = Math.min(readMaxKeys(call.query.get("max-keys")), keysMax);
  call.authorize([
    {
      action: "s3:ListBucket",
      resource: bucketArn(bucket),
      context: {
        "s3:prefix": prefix,
        "s3:delimiter": delimiter === "" ? undefined : delimiter,
        "s3:max-keys": String(maxKeys),
      },
    },
  ]);
  requireBucket(store, bucket);
  const encode = call.query.get("encoding-type") === "url" ? encodeURIComponent : (text: string) => text;
  const token = call.query.get("continuation-token");
  const after = token === null ? (call.query.get("start-after") ?? "") : readToken(token);
  const rows = distinctRows(store.list(bucket, prefix), prefix, delimiter, encode);
  const rest = rows.filter((row) => Buffer.compare(Buffer.from(row.after), Buffer.from(after)) > 0);
  const page = rest.slice(0, maxKeys);
  const truncated = rest.length > page.length && page.length > 0;
  const of = (group: Row["group"]) => page.filter((row) => row.group === group).map((row) => row.xml);
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: xmlDocument(
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${[
        textElement("Name", bucket),
        textElement("Prefix", encode(prefix)),
        textElement("Delimiter", delimiter === "" ? undefined : encode(delimiter)),
        textElement("EncodingType", call.query.get("encoding-type") ?? undefined),
        textElement("MaxKeys", maxKeys),
        textElement("KeyCount", page.length),
        textElement("IsTruncated", truncated),
        textElement("ContinuationToken", token ?? undefined),
        textElement("NextContinuationToken", truncated ? writeToken(page.at(-1)?.after ?? "") : undefined),
        ...of("object"),
        ...of("prefix"),
      ].join("")}</ListBucketResult>`,
    ),
  };
}

function distinctRows(
  records: readonly ObjectRecord[],
  prefix: string,
  delimiter: string,
  encode: (text: string) => string,
): readonly Row[] {
  const rows: Row[] = [];
  for (const record of records) {
    const cut = delimiter === "" ? -1 : record.key.indexOf(delimiter, prefix.length);
    if (cut < 0) {
      rows.push({ after: record.key, xml: objectXml(record, encode), group: "object" });
      continue;
    }
    const common = record.key.slice(0, cut + delimiter.length);
    if (rows.at(-1)?.after === common && rows.at(-1)?.group === "prefix") continue;
    const xml = `<CommonPrefixes>${textElement("Prefix", encode(common))}</CommonPrefixes>`;
    rows.push({ after: common, xml, group: "prefix" });
  }
  return rows;
}

function objectXml(record: ObjectRecord, encode: (text: string) => string): string {
  return `<Contents>${textElement("Key", encode(record.key))}${textElement(
    "LastModified",
    new Date(record.lastModifiedMs).toISOString(),
  )}${textElement("ETag", `"${record.etag}"`)}${textElement("Size", record.sizeBytes)}${textElement(
    "StorageClass",
    "STANDARD",
  )}</Contents>`;
}

function readMaxKeys(text: string | null): number {
  if (text === null) return keysMax;
  if (!/^\d{1,9}$/.test(text)) throw new AwsError(400, "InvalidArgument", "Provided max-keys not an integer");
  return Number(text);
}

function writeToken(after: string): string {
  return Buffer.from(after).toString("base64url");
}

function readToken(token: string): string {
  return Buffer.from(token, "base64url").toString("utf8");
}
