import { timingSafeEqual } from "node:crypto";
import { AwsError } from "./aws-error.ts";
import type { Principal, Principals } from "./principals.ts";
import { amzDateMs, type SignatureClaim, signatureMatches, type WireRequest } from "./sigv4.ts";

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html */
const clockSkewMs = 15 * 60_000;

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
const expiresSecondsMax = 604_800;

/** @throws {AwsError} under the names that S3, or the JSON services, give each failure. */
export async function authenticate(
  request: WireRequest,
  claim: SignatureClaim | "none" | "malformed",
  payloadHash: string,
  principals: Principals,
  nowMs: number,
): Promise<Principal> {
  const isS3 = claim === "none" ? request.headers["x-amz-target"] === undefined : isS3Claim(claim, request);
  const refuse = isS3 ? s3Refusals : jsonRefusals;
  if (claim === "none") throw refuse.unsigned();
  if (claim === "malformed") throw refuse.malformed();
  const principal = principals.find(claim.accessKeyId);
  if (!principal) throw refuse.unknownKey();
  if (!sameText(principal.sessionToken ?? "", claim.sessionToken ?? "")) throw refuse.wrongToken();
  refuseWrongTime(claim, nowMs, refuse);
  if (!signsWhatMatters(request, claim, isS3)) throw refuse.unsignedHeaders();
  if (!(await signatureMatches(request, claim, payloadHash, principal.secretAccessKey)))
    throw refuse.wrongSignature();
  return principal;
}

function isS3Claim(claim: SignatureClaim | "malformed", request: WireRequest): boolean {
  return claim === "malformed" ? request.headers["x-amz-target"] === undefined : claim.scope.service === "s3";
}

function refuseWrongTime(claim: SignatureClaim, nowMs: number, refuse: Refusals): void {
  const signedAtMs = amzDateMs(claim.amzDate);
  if (Number.isNaN(signedAtMs) || !claim.amzDate.startsWith(claim.scope.date)) throw refuse.malformed();
  if (claim.expiresSeconds === undefined) {
    if (Math.abs(nowMs - signedAtMs) > clockSkewMs) throw refuse.skewed();
    return;
  }
  if (claim.expiresSeconds > expiresSecondsMax) throw refuse.malformed();
  if (signedAtMs - nowMs > clockSkewMs) throw refuse.skewed();
  if (nowMs > signedAtMs + claim.expiresSeconds * 1000) throw refuse.expired();
}

/** An unsigned header could have been added by anyone. */
function signsWhatMatters(request: WireRequest, claim: SignatureClaim, isS3: boolean): boolean {
  if (!claim.signedHeaders.includes("host")) return false;
  if (!isS3) return true;
  return Object.keys(request.headers).every(
    (name) => !name.startsWith("x-amz-") || claim.signedHeaders.includes(name),
  );
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

type Failure =
  | "unsigned"
  | "malformed"
  | "unknownKey"
  | "wrongToken"
  | "wrongSignature"
  | "unsignedHeaders"
  | "skewed"
  | "expired";
type Refusals = Readonly<Record<Failure, () => AwsError>>;

const refusal = (status: number, code: string, message: string) => () => new AwsError(status, code, message);
const mismatch =
  "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.";
const invalidToken = "The security token included in the request is invalid.";

/** Source: https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html */
const jsonRefusals: Refusals = {
  unsigned: refusal(403, "MissingAuthenticationTokenException", "Missing Authentication Token"),
  malformed: refusal(
    403,
    "IncompleteSignatureException",
    "The request signature does not conform to AWS standards.",
  ),
  unknownKey: refusal(403, "UnrecognizedClientException", invalidToken),
  wrongToken: refusal(403, "UnrecognizedClientException", invalidToken),
  wrongSignature: refusal(403, "InvalidSignatureException", mismatch),
  unsignedHeaders: refusal(403, "InvalidSignatureException", mismatch),
  skewed: refusal(403, "InvalidSignatureException", "Signature expired or not yet current."),
  expired: refusal(403, "InvalidSignatureException", "Signature expired."),
};

/** Source: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const s3Refusals: Refusals = {
  unsigned: refusal(403, "AccessDenied", "Access Denied"),
  malformed: refusal(
    400,
    "AuthorizationQueryParametersError",
    "The authorization of the request cannot be read.",
  ),
  unknownKey: refusal(
    403,
    "InvalidAccessKeyId",
    "The AWS Access Key Id you provided does not exist in our records.",
  ),
  wrongToken: refusal(400, "InvalidToken", "The provided token is malformed or otherwise invalid."),
  wrongSignature: refusal(403, "SignatureDoesNotMatch", mismatch),
  unsignedHeaders: refusal(
    403,
    "AccessDenied",
    "There were headers present in the request which were not signed",
  ),
  skewed: refusal(
    403,
    "RequestTimeTooSkewed",
    "The difference between the request time and the current time is too large.",
  ),
  expired: refusal(403, "AccessDenied", "Request has expired"),
};
