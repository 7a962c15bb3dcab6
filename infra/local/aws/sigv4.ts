import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A request as it came over the wire: path and query exactly as sent, header names in lower case. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

/** The signature data in a request. Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export interface SignatureClaim {
  readonly form: "header" | "presigned";
  readonly accessKeyId: string;
  readonly scope: { readonly date: string; readonly region: string; readonly service: string };
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** `20260131T235959Z`. */
  readonly amzDate: string;
  readonly sessionToken: string | undefined;
  /** Lifetime of a presigned URL. */
  readonly expiresSeconds: number | undefined;
}

export const unsignedPayload = "UNSIGNED-PAYLOAD";

const headerForm =
  /^AWS4-HMAC-SHA256\s+Credential=([^/,\s]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;
const credential = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/;

/** The claim of a signed request, "none" for an unsigned one, "malformed" for one that cannot be read. */
export function readSignatureClaim(request: WireRequest): SignatureClaim | "none" | "malformed" {
  const query = new URLSearchParams(request.query);
  if (query.has("X-Amz-Signature") || query.has("X-Amz-Credential")) return presignedClaim(query);
  const authorization = request.headers.authorization;
  if (authorization === undefined) return "none";
  const [, accessKeyId, date, region, service, signedHeaders, signature] =
    headerForm.exec(authorization) ?? [];
  const amzDate = single(request.headers["x-amz-date"]);
  if (!accessKeyId || !date || !region || !service || !signedHeaders || !signature || !amzDate)
    return "malformed";
  return {
    form: "header",
    accessKeyId,
    scope: { date, region, service },
    signedHeaders: signedHeaders.split(";"),
    signature,
    amzDate,
    sessionToken: single(request.headers["x-amz-security-token"]),
    expiresSeconds: undefined,
  };
}

function presignedClaim(query: URLSearchParams): SignatureClaim | "malformed" {
  const [, accessKeyId, date, region, service] = credential.exec(query.get("X-Amz-Credential") ?? "") ?? [];
  const signature = query.get("X-Amz-Signature");
  const signedHeaders = query.get("X-Amz-SignedHeaders");
  const amzDate = query.get("X-Amz-Date");
  const expires = query.get("X-Amz-Expires") ?? "";
  if (!accessKeyId || !date || !region || !service || !signature || !signedHeaders || !amzDate)
    return "malformed";
  if (query.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256" || !/^\d{1,6}$/.test(expires)) return "malformed";
  return {
    form: "presigned",
    accessKeyId,
    scope: { date, region, service },
    signedHeaders: signedHeaders.split(";"),
    signature,
    amzDate,
    sessionToken: query.get("X-Amz-Security-Token") ?? undefined,
    expiresSeconds: Number(expires),
  };
}

/** Whether the signature is the one that the secret gives for this very request. */
export function signatureMatches(
  request: WireRequest,
  claim: SignatureClaim,
  payloadHash: string,
  secretAccessKey: string,
): boolean {
  const expected = Buffer.from(computeSignature(request, claim, payloadHash, secretAccessKey));
  const given = Buffer.from(claim.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Version 4 signature in lower case hexadecimal; `claim.signature` is not read. */
export function computeSignature(
  request: WireRequest,
  claim: Omit<SignatureClaim, "signature" | "accessKeyId" | "sessionToken" | "expiresSeconds">,
  payloadHash: string,
  secretAccessKey: string,
): string {
  const canonicalRequest = [
    request.method,
    canonicalPath(request.path, claim.scope.service),
    canonicalQuery(request.query),
    ...claim.signedHeaders.map((name) => `${name}:${canonicalHeaderValue(request.headers[name])}`),
    "",
    claim.signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
  const { date, region, service } = claim.scope;
  const stringToSign = [
    "AWS4-HMAC-SHA256",
    claim.amzDate,
    `${date}/${region}/${service}/aws4_request`,
    sha256Hex(canonicalRequest),
  ].join("\n");
  return hmac(signingKey(secretAccessKey, date, region, service), stringToSign).toString("hex");
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Milliseconds since the epoch of `20260131T235959Z`; NaN when it is not of that form. */
export function amzDateMs(amzDate: string): number {
  return Date.parse(amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

/** S3 signs the path as sent; every other service encodes it once more. */
function canonicalPath(path: string, service: string): string {
  if (service === "s3") return path;
  return path.split("/").map(encodeRfc3986).join("/");
}

function canonicalQuery(query: string): string {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const cut = pair.indexOf("=");
      return cut < 0 ? [pair, ""] : [pair.slice(0, cut), pair.slice(cut + 1)];
    })
    .map(([name = "", value = ""]) => [encodeRfc3986(decode(name)), encodeRfc3986(decode(value))] as const)
    .filter(([name]) => name !== "X-Amz-Signature")
    .sort(([nameA, valueA], [nameB, valueB]) => byText(nameA, nameB) || byText(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function canonicalHeaderValue(value: string | readonly string[] | undefined): string {
  return (typeof value === "string" ? value : (value ?? []).join(",")).trim().replace(/\s+/g, " ");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign stands for itself; the signature then decides.
    return text;
  }
}

function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

let signingKeys = new Map<string, Buffer>();

/** Good for a day, a region and a service, so it is derived once and not with each call. */
function signingKey(secretAccessKey: string, date: string, region: string, service: string): Buffer {
  const id = `${secretAccessKey}/${date}/${region}/${service}`;
  const known = signingKeys.get(id);
  if (known) return known;
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), service), "aws4_request");
  if (signingKeys.size >= 500) signingKeys = new Map();
  signingKeys.set(id, key);
  return key;
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
