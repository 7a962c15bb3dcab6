import { AwsError, notImplemented } from "../aws-error.ts";
import type { OperationSource } from "../service-call.ts";

/** These sub-resources would make another operation of a plain GET, PUT, POST or DELETE. */
const otherOperations = [
  "acl",
  "attributes",
  "cors",
  "encryption",
  "lifecycle",
  "location",
  "notification",
  "partNumber",
  "policy",
  "restore",
  "select",
  "tagging",
  "uploadId",
  "uploads",
  "versioning",
  "versionId",
  "versions",
] as const;

export interface S3Target {
  readonly bucket: string;
  /** The key is empty when the request is for the bucket. */
  readonly key: string;
}

export function s3Target(path: string): S3Target {
  const [, bucket = "", ...rest] = path.split("/");
  try {
    return { bucket: decodeURIComponent(bucket), key: rest.map(decodeURIComponent).join("/") };
  } catch {
    throw new AwsError(400, "InvalidURI", "Couldn't parse the specified URI.");
  }
}

/** @throws {AwsError} NotImplemented for every other operation. */
export function s3Operation(request: OperationSource): string {
  const { bucket, key } = s3Target(request.path);
  if (request.method === "GET" && key !== "" && request.query.has("tagging")) return "GetObjectTagging";
  const other = otherOperations.find((name) => request.query.has(name));
  if (other !== undefined) throw notImplemented(`S3's ${request.method} with ?${other}`);
  if (request.headers["x-amz-copy-source"] !== undefined) throw notImplemented("S3's CopyObject");
  const operation = key === "" ? bucketOperation(request, bucket) : objectOperation(request);
  if (operation === undefined)
    throw notImplemented(`S3's ${request.method} on ${key === "" ? "a bucket" : "an object"}`);
  return operation;
}

function objectOperation({ method }: OperationSource): string | undefined {
  const operations: Readonly<Record<string, string>> = {
    PUT: "PutObject",
    GET: "GetObject",
    HEAD: "HeadObject",
    DELETE: "DeleteObject",
  };
  return operations[method];
}

function bucketOperation({ method, query }: OperationSource, bucket: string): string | undefined {
  const isList = bucket !== "" && method === "GET" && query.get("list-type") === "2";
  return isList ? "ListObjectsV2" : undefined;
}
