import { describe, expect, it } from "vitest";
import {
  computeSignature,
  readSignatureClaim,
  sha256Hex,
  signatureMatches,
  unsignedPayload,
} from "../../../infra/local/aws/sigv4.ts";

const exampleSecret = ["wJalrXUtnFEMI", "K7MDENG", "bPxRfiCYEXAMPLEKEY"].join("/");

describe("signature version 4", () => {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "GET Object"
  it("gives the documented signature of S3's GET Object", async () => {
    const request = {
      method: "GET",
      path: "/test.txt",
      query: "",
      headers: {
        host: "examplebucket.s3.amazonaws.com",
        range: "bytes=0-9",
        "x-amz-content-sha256": sha256Hex(""),
        "x-amz-date": "20130524T000000Z",
      },
    };
    const claim = {
      scope: { date: "20130524", region: "us-east-1", service: "s3" },
      signedHeaders: ["host", "range", "x-amz-content-sha256", "x-amz-date"],
      amzDate: "20130524T000000Z",
    };
    expect(await computeSignature(request, claim, sha256Hex(""), exampleSecret)).toBe(
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
  it("accepts the documented presigned URL and refuses it with anything changed", async () => {
    const request = {
      method: "GET",
      path: "/test.txt",
      query:
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
      headers: { host: "examplebucket.s3.amazonaws.com" },
    };
    const claim = readSignatureClaim(request);
    if (typeof claim === "string") throw new Error(claim);
    expect(claim.expiresSeconds).toBe(86_400);
    expect(await signatureMatches(request, claim, unsignedPayload, exampleSecret)).toBe(true);
    for (const changed of [
      { ...request, method: "PUT" },
      { ...request, path: "/test2.txt" },
      { ...request, query: request.query.replace("86400", "86401") },
      { ...request, headers: { host: "elsewhere" } },
    ]) {
      expect(await signatureMatches(changed, claim, unsignedPayload, exampleSecret)).toBe(false);
    }
    expect(await signatureMatches(request, claim, unsignedPayload, `${exampleSecret}x`)).toBe(false);
  });

  it.each([
    ["none", {}],
    ["malformed", { authorization: "Bearer abc" }],
    ["malformed", { authorization: "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0" }],
  ])("reads a request that is not signed so as %s", (expected, headers) => {
    expect(readSignatureClaim({ method: "GET", path: "/", query: "", headers })).toBe(expected);
  });
});
