import { AwsError } from "../aws-error.ts";
import type { Answer, ServiceCall } from "../service-call.ts";
import { sha256Hex } from "../sigv4.ts";
import { decodeAwsChunked } from "./aws-chunked.ts";
import { objectArn, requireBucket } from "./bucket.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Target } from "./s3-request.ts";
import { elementContents, textElement, unescapeXml, xmlDocument } from "./xml.ts";

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const keysMax = 1_000;
const bodyBytesMax = 2 * 1024 ** 2;

/** Each key is judged by itself, and one that may not be deleted does not stop the others. */
export async function deleteObjects(
  store: ObjectStore,
  call: ServiceCall,
  target: S3Target,
): Promise<Answer> {
  requireBucket(store, target.bucket);
  const xml = await readBody(call);
  const keys = elementContents(xml, "Object").map((object) =>
    unescapeXml(elementContents(object, "Key")[0] ?? ""),
  );
  if (keys.length === 0 || keys.length > keysMax || keys.includes("")) {
    throw new AwsError(
      400,
      "MalformedXML",
      "The XML you provided was not well-formed or did not validate against our published schema",
    );
  }
  const quiet = elementContents(xml, "Quiet")[0]?.trim() === "true";
  const results: string[] = [];
  for (const key of keys) {
    if (!call.allows({ action: "s3:DeleteObject", resource: objectArn({ bucket: target.bucket, key }) })) {
      const message = `User: ${call.principal.arn} is not authorized to perform: s3:DeleteObject on resource: ${objectArn({ bucket: target.bucket, key })}`;
      results.push(
        `<Error>${textElement("Key", key)}${textElement("Code", "AccessDenied")}${textElement("Message", message)}</Error>`,
      );
      continue;
    }
    await store.remove(target.bucket, key);
    if (!quiet) results.push(`<Deleted>${textElement("Key", key)}</Deleted>`);
  }
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: xmlDocument(`<DeleteResult>${results.join("")}</DeleteResult>`),
  };
}

async function readBody(call: ServiceCall): Promise<string> {
  const raw = call.stream.iterator({ destroyOnReturn: false });
  const source = call.payloadHash.startsWith("STREAMING-") ? decodeAwsChunked(raw, () => {}) : raw;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax)
      throw new AwsError(400, "MaxMessageLengthExceeded", "Your request was too big.");
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (/^[0-9a-f]{64}$/.test(call.payloadHash) && sha256Hex(body) !== call.payloadHash) {
    throw new AwsError(
      400,
      "XAmzContentSHA256Mismatch",
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  return body.toString("utf8");
}
