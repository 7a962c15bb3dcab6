import { describe, expect, it } from "vitest";
import { answerOf } from "../../../infra/local/gateway/http-response.ts";

describe("answerOf", () => {
  it.each([
    [{ hello: "world" }, '{"hello":"world"}'],
    ["Hello", '"Hello"'],
    [[1, 2], "[1,2]"],
    [undefined, "null"],
  ])("takes %j, which has no statusCode, for a body of JSON", (payload, body) => {
    const answer = answerOf(payload);
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(answer?.body.toString()).toBe(body);
  });

  it("reads status, headers, cookies and a base64 body", () => {
    const answer = answerOf({
      statusCode: 201,
      headers: { "Content-Type": "image/png", "X-Count": 3 },
      cookies: ["a=1", "b=2; Secure"],
      body: Buffer.from([0, 255]).toString("base64"),
      isBase64Encoded: true,
    });
    expect(answer).toEqual({
      status: 201,
      headers: { "content-type": "image/png", "x-count": "3", "set-cookie": ["a=1", "b=2; Secure"] },
      body: Buffer.from([0, 255]),
    });
  });

  it("calls a body without a content type plain text", () => {
    expect(answerOf({ statusCode: 200, body: "hi" })?.headers).toEqual({
      "content-type": "text/plain; charset=utf-8",
    });
  });

  it("drops the headers of the hop and the function's own content-length", () => {
    const headers = {
      Connection: "close",
      "Transfer-Encoding": "chunked",
      "Content-Length": "99",
      ETag: "x",
    };
    expect(answerOf({ statusCode: 200, headers })?.headers).toEqual({
      etag: "x",
      "content-type": "text/plain; charset=utf-8",
    });
  });

  it.each([
    [{ statusCode: "abc" }],
    [{ statusCode: 99 }],
    [{ statusCode: null }],
    [{ statusCode: 200, body: { not: "text" } }],
    [{ statusCode: 200, headers: { a: ["1", "2"] } }],
    [{ statusCode: 200, headers: "none" }],
    [{ statusCode: 200, cookies: "a=1" }],
  ])("finds %j malformed", (payload) => {
    expect(answerOf(payload)).toBeUndefined();
  });
});
