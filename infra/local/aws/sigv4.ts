import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import { Sha256 } from "../../../shared/aws/sha256.ts";
import type { Credentials } from "./credentials.ts";

/** Path and query are exactly as sent, header names in lower case. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

/** Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export interface SignatureClaim {
  readonly form: "header" | "presigned";
  readonly accessKeyId: string;
  readonly scope: { readonly date: string; readonly region: string; readonly service: string };
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly amzDate: string;
  readonly sessionToken: string | undefined;
  readonly expiresSeconds: number | undefined;
}

export const unsignedPayload = "UNSIGNED-PAYLOAD";

const headerForm =
  /^AWS4-HMAC-SHA256\s+Credential=([^/,\s]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/;
const credential = /^([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request$/;

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

class Verifier extends SignatureV4 {
  async signatureOf(request: WireRequest, claim: ClaimedScope, payloadHash: string): Promise<string> {
    const { amzDate, scope, signedHeaders } = claim;
    const headers = Object.fromEntries(
      signedHeaders.map((name) => [name, headerValue(request.headers[name])]),
    );
    const { method, path } = request;
    const asked = new HttpRequest({ method, path, headers, query: queryOf(request.query) });
    const text = await this.createStringToSign(
      amzDate,
      `${scope.date}/${scope.region}/${scope.service}/aws4_request`,
      this.createCanonicalRequest(asked, headers, payloadHash),
      "AWS4-HMAC-SHA256",
    );
    return await this.sign(text, { signingDate: new Date(amzDateMs(amzDate)) });
  }
}

type ClaimedScope = Pick<SignatureClaim, "scope" | "signedHeaders" | "amzDate">;

export async function signatureMatches(
  request: WireRequest,
  claim: SignatureClaim,
  payloadHash: string,
  secretAccessKey: string,
): Promise<boolean> {
  const expected = Buffer.from(await computeSignature(request, claim, payloadHash, secretAccessKey));
  const given = Buffer.from(claim.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export async function computeSignature(
  request: WireRequest,
  claim: ClaimedScope,
  payloadHash: string,
  secretAccessKey: string,
): Promise<string> {
  const { region, service } = claim.scope;
  const credentials = { accessKeyId: "", secretAccessKey };
  // S3 signs the path as sent; every other service encodes it once more.
  const uriEscapePath = service !== "s3";
  const verifier = new Verifier({ credentials, region, service, sha256: Sha256, uriEscapePath });
  return await verifier.signatureOf(request, claim, payloadHash);
}

export interface JsonCall {
  readonly endpointUrl: string;
  readonly region: string;
  readonly service: string;
  readonly target: string;
  readonly text: string;
  readonly credentials: Credentials;
}

export async function signJsonCall(call: JsonCall): Promise<Readonly<Record<string, string>>> {
  const { endpointUrl, region, service, target, text, credentials } = call;
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256, applyChecksum: false });
  const given = { host: new URL(endpointUrl).host, "x-amz-target": target };
  const request = new HttpRequest({ method: "POST", path: "/", headers: given, body: text });
  const { host: _host, ...headers } = (await signer.sign(request)).headers;
  return headers;
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Returns NaN when the date is not of the form `20260131T235959Z`. */
export function amzDateMs(amzDate: string): number {
  return Date.parse(amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

function queryOf(query: string): Record<string, string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
}

function headerValue(value: string | readonly string[] | undefined): string {
  return (typeof value === "string" ? value : (value ?? []).join(",")).trim().replace(/\s+/g, " ");
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
