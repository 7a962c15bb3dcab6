import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { EdgeHeader } from "../../../shared/contract/edge.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { createHttpApp } from "../../../shared/http/create-http-app.ts";
import type { OriginVerifier } from "../../../shared/http/edge.ts";
import { lambdaHandler } from "../../../shared/http/lambda-handler.ts";
import { safeHeaders } from "../../../shared/http/safe-headers.ts";
import { createTestService } from "../../support/shared/test-service.ts";

interface Asked {
  readonly method?: string;
  readonly rawPath?: string;
  readonly rawQueryString?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

function eventOf(asked: Asked): APIGatewayProxyEventV2 {
  const { method = "GET", rawPath = "/echo", rawQueryString = "", headers = {}, ...body } = asked;
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers,
    isBase64Encoded: false,
    ...body,
    requestContext: {
      accountId: "000000000000",
      apiId: "api",
      domainName: "api.example.com",
      domainPrefix: "api",
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "192.0.2.9", userAgent: "test" },
      requestId: "JKJaXmPLvHcESHA=",
      routeKey: "$default",
      stage: "$default",
      time: "12/Mar/2026:19:03:58 +0000",
      timeEpoch: 1_773_342_238_000,
    },
  };
}

async function invoke(asked: Asked, origin?: OriginVerifier) {
  const { deps, log } = await createTestService();
  const app = createHttpApp(deps);
  app.all("/echo", async (c) =>
    c.json({
      method: c.req.method,
      query: c.req.queries(),
      key: c.req.header("idempotency-key") ?? null,
      address: c.env.sourceAddress ?? null,
      secret: c.req.header(EdgeHeader.originSecret) ?? null,
      bytes: [...new Uint8Array(await c.req.arrayBuffer())],
    }),
  );
  app.get("/image", (c) => c.body(new Uint8Array([0x89, 0x50, 0xff]), 200, { "content-type": "image/png" }));
  app.get("/large/:count", (c) => c.text('"'.repeat(Number(c.req.param("count")))));
  app.delete("/gone", (c) => c.body(null, 204));
  const result = await lambdaHandler(app, { ...deps, origin })(eventOf(asked));
  return { ...result, body: result.body ?? "", log };
}

describe("lambdaHandler", () => {
  it("hands on method, query, body, address and API Gateway's request id", async () => {
    const result = await invoke({ method: "POST", rawQueryString: "a=1&a=2&b=%20", body: "hé" });
    expect(JSON.parse(result.body)).toEqual({
      method: "POST",
      query: { a: ["1", "2"], b: [" "] },
      key: null,
      address: "192.0.2.9",
      secret: null,
      bytes: [0x68, 0xc3, 0xa9],
    });
    expect(result).toMatchObject({
      statusCode: 200,
      isBase64Encoded: false,
      headers: { "x-request-id": "JKJaXmPLvHcESHA=", "content-type": "application/json" },
    });
  });

  it("decodes a body that came as base64", async () => {
    const result = await invoke({ method: "POST", body: "AP8=", isBase64Encoded: true });
    expect(JSON.parse(result.body).bytes).toEqual([0, 255]);
  });

  it("keeps an empty header, so that an empty Idempotency-Key is not taken for none", async () => {
    const result = await invoke({ headers: { "idempotency-key": "" } });
    expect(JSON.parse(result.body).key).toBe("");
  });

  it("does not stumble over a GET with a body", async () => {
    expect((await invoke({ method: "GET", body: "{}" })).statusCode).toBe(200);
  });

  it("answers bytes as base64 and nothing as nothing", async () => {
    const image = await invoke({ rawPath: "/image" });
    expect(image).toMatchObject({ isBase64Encoded: true, body: "iVD/" });
    expect(await invoke({ method: "DELETE", rawPath: "/gone" })).toMatchObject({
      statusCode: 204,
      body: "",
      isBase64Encoded: false,
    });
  });

  it("answers 413 in place of an answer that Lambda could not send, counted as it is sent", async () => {
    expect((await invoke({ rawPath: "/large/3000000" })).statusCode).toBe(200);
    const tooLarge = await invoke({ rawPath: "/large/3200000" });
    const headers = { ...safeHeaders, "x-request-id": "JKJaXmPLvHcESHA=" };
    expect(tooLarge).toMatchObject({ statusCode: 413, headers });
    expect(JSON.parse(tooLarge.body)).toMatchObject({ error_code: "answer_too_large" });
  });

  it("answers 400 to a header that HTTP does not know", async () => {
    const result = await invoke({ headers: { "x-thing": "a\nb" } });
    expect(result).toMatchObject({ statusCode: 400, headers: safeHeaders });
    expect(JSON.parse(result.body)).toMatchObject({ error_code: "bad_request" });
  });
});

describe("behind the edge", () => {
  const origin: OriginVerifier = { verify: async (given) => given === "ours" };
  const through = (headers: Record<string, string>) =>
    invoke({ headers: { "x-forwarded-for": "203.0.113.1", ...headers } }, origin);

  it.each([
    ["192.0.2.77:4711", "192.0.2.77"],
    ["2001:db8::7:4711", "2001:db8::7"],
  ])("the client is who the distribution says it is: %s", async (viewer, address) => {
    const { body } = await through({
      [EdgeHeader.originSecret]: "ours",
      [EdgeHeader.viewerAddress]: viewer,
    });
    expect(JSON.parse(body)).toMatchObject({ address, secret: null });
  });

  it.each([
    ["no secret", {}],
    ["another secret", { [EdgeHeader.originSecret]: "guessed" }],
    ["an address of its own", { [EdgeHeader.viewerAddress]: "192.0.2.77:1" }],
  ])("a request around it is served nothing: %s", async (_what, headers) => {
    const { statusCode, body } = await through(headers);
    expect([statusCode, JSON.parse(body).error_code]).toEqual([404, "route_not_found"]);
  });

  it("the header with an address is not believed without it", async () => {
    const { body } = await invoke({ headers: { [EdgeHeader.viewerAddress]: "192.0.2.77:1" } });
    expect(JSON.parse(body).address).toBe("192.0.2.9");
  });

  it("a secret that cannot be read is 503 with Retry-After, and the log says why", async () => {
    const away: OriginVerifier = {
      verify: async () => {
        const cause = new Error("throttled");
        throw new DomainError("service_unavailable", "away", { retryAfterSeconds: 1, cause });
      },
    };
    const asked = { headers: { [EdgeHeader.originSecret]: "ours" } };
    const { statusCode, headers, log } = await invoke(asked, away);
    expect([statusCode, headers?.["retry-after"]]).toEqual([503, "1"]);
    expect(log.lines()).toMatchObject([
      { level: "warn", error_code: "service_unavailable", cause: { message: "throttled" } },
    ]);
  });
});
