import { describe, expect, it } from "vitest";
import { authenticate } from "../../../infra/local/aws/authenticate.ts";
import { GrantLog } from "../../../infra/local/aws/grants.ts";
import { Principals } from "../../../infra/local/aws/principals.ts";
import {
  computeSignature,
  readSignatureClaim,
  unsignedPayload,
  type WireRequest,
} from "../../../infra/local/aws/sigv4.ts";

const signedAt = Date.parse("2026-01-31T12:00:00Z");
const role = {
  accessKeyId: "ASIA1",
  secretAccessKey: "s".repeat(40),
  sessionToken: "token",
  functionName: "f",
};
const principals = new Principals(new GrantLog());
principals.register({ ...role, policies: [] });

async function presigned(
  changes: { readonly token?: string; readonly key?: string; readonly expires?: number } = {},
) {
  const key = changes.key ?? role.accessKeyId;
  const unsigned = new URLSearchParams({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${key}/20260131/us-east-1/s3/aws4_request`,
    "X-Amz-Date": "20260131T120000Z",
    "X-Amz-Expires": String(changes.expires ?? 60),
    "X-Amz-Security-Token": changes.token ?? role.sessionToken,
    "X-Amz-SignedHeaders": "content-length;host",
  });
  const request = {
    method: "PUT",
    path: "/files/a",
    query: unsigned.toString(),
    headers: { host: "127.0.0.1:1", "content-length": "5" },
  };
  const scope = { date: "20260131", region: "us-east-1", service: "s3" };
  const signedHeaders = ["content-length", "host"];
  const claim = { scope, signedHeaders, amzDate: "20260131T120000Z" };
  const signature = await computeSignature(request, claim, unsignedPayload, role.secretAccessKey);
  return { ...request, query: `${request.query}&X-Amz-Signature=${signature}` };
}

async function outcome(given: WireRequest | Promise<WireRequest>, nowMs = signedAt): Promise<string> {
  const request = await given;
  try {
    const claim = readSignatureClaim(request);
    return (await authenticate(request, claim, unsignedPayload, principals, nowMs)).functionName;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

describe("authenticate", () => {
  it("finds the principal of a presigned URL until the second it expires", async () => {
    expect(await outcome(presigned())).toBe("f");
    expect(await outcome(presigned(), signedAt + 60_000)).toBe("f");
    expect(await outcome(presigned(), signedAt + 61_000)).toBe("AccessDenied");
  });

  it("refuses a URL from the future and one that is meant to live longer than a week", async () => {
    expect(await outcome(presigned(), signedAt - 16 * 60_000)).toBe("RequestTimeTooSkewed");
    expect(await outcome(presigned({ expires: 604_801 }))).toBe("AuthorizationQueryParametersError");
  });

  it("refuses another key, another token, and a token left out", async () => {
    expect(await outcome(presigned({ key: "ASIA2" }))).toBe("InvalidAccessKeyId");
    expect(await outcome(presigned({ token: "token2" }))).toBe("InvalidToken");
    expect(await outcome(presigned({ token: "" }))).toBe("InvalidToken");
  });

  it("refuses a body of another length than was signed", async () => {
    const request = await presigned();
    expect(await outcome({ ...request, headers: { ...request.headers, "content-length": "6" } })).toBe(
      "SignatureDoesNotMatch",
    );
  });

  it("refuses an x-amz- header that was not signed", async () => {
    const request = await presigned();
    expect(await outcome({ ...request, headers: { ...request.headers, "x-amz-meta-a": "b" } })).toBe(
      "AccessDenied",
    );
  });

  it("refuses an unsigned request under the name that its service gives that", async () => {
    const request = { method: "POST", path: "/", query: "", headers: {} };
    expect(await outcome(request)).toBe("AccessDenied");
    expect(await outcome({ ...request, headers: { "x-amz-target": "DynamoDB_20120810.GetItem" } })).toBe(
      "MissingAuthenticationTokenException",
    );
  });
});
