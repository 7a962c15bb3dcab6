import { describe, expect, it } from "vitest";
import type { AccessLogEntry } from "../../../infra/local/gateway/http-gateway.ts";
import { exchangeRaw, failed, ok, start } from "./gateway-harness.ts";

const routes = [
  { routeKey: "PATCH /v1/machines/{machine_id}", functionName: "machines" },
  { routeKey: "$default", functionName: "health" },
];

describe("the event of an HTTP API", () => {
  it("has the shape of payload format 2.0", async () => {
    const { baseUrl, events, gateway } = await start({ http: { routes } });
    await fetch(`${baseUrl}/v1/machines/a%20b?x=1&y=2&x=%C3%A9`, {
      method: "PATCH",
      body: '{"name":"é"}',
      headers: { "Content-Type": "application/json", "User-Agent": "test", Cookie: "a=1; b=2" },
    });
    const [event] = events;
    expect(event).toMatchObject({
      version: "2.0",
      routeKey: "PATCH /v1/machines/{machine_id}",
      rawPath: "/v1/machines/a b",
      rawQueryString: "x=1&y=2&x=%C3%A9",
      queryStringParameters: { x: "1,é", y: "2" },
      pathParameters: { machine_id: "a b" },
      cookies: ["a=1", "b=2"],
      body: '{"name":"é"}',
      isBase64Encoded: false,
      requestContext: {
        accountId: "000000000000",
        apiId: "httpapi123",
        domainName: "httpapi123.execute-api.us-east-1.amazonaws.com",
        domainPrefix: "httpapi123",
        http: {
          method: "PATCH",
          path: "/v1/machines/a b",
          protocol: "HTTP/1.1",
          sourceIp: "127.0.0.1",
          userAgent: "test",
        },
        requestId: expect.stringMatching(/^[\w-]{15}=$/),
        routeKey: "PATCH /v1/machines/{machine_id}",
        stage: "$default",
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
    });
    expect(event?.headers).toMatchObject({
      host: `127.0.0.1:${gateway.port}`,
      "content-length": "13",
      "content-type": "application/json",
      "x-amzn-trace-id": expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-port": String(gateway.port),
      "x-forwarded-proto": "http",
    });
    expect(event?.headers).not.toHaveProperty("cookie");
    expect(event?.headers).not.toHaveProperty("connection");
  });

  it("has what a distribution before the API sends, and not what a client claims to be", async () => {
    const { baseUrl, events } = await start({
      http: { routes, edgeHeaders: () => ({ "x-origin-secret": "ours" }) },
    });
    const claimed = { "x-origin-secret": "guessed", "cloudfront-viewer-address": "198.51.100.7:1" };
    await fetch(`${baseUrl}/v1/health`, { headers: claimed });
    expect(events[0]?.headers).toMatchObject({
      "x-origin-secret": "ours",
      "cloudfront-viewer-address": expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    });
    expect(events[0]?.requestContext).toMatchObject({ http: { sourceIp: "192.0.2.1" } });
  });

  it("leaves out what a request does not have", async () => {
    const { baseUrl, events } = await start();
    await fetch(`${baseUrl}/v1/health`);
    for (const field of ["queryStringParameters", "pathParameters", "cookies", "body"]) {
      expect(events[0]).not.toHaveProperty(field);
    }
    expect(events[0]).toMatchObject({ rawQueryString: "", isBase64Encoded: false });
    expect(events[0]?.headers?.["content-length"]).toBe("0");
  });

  it("joins repeated headers, in lower case, and adds to what the client says of itself", async () => {
    const { events, gateway } = await start();
    await exchangeRaw(
      gateway.port,
      "GET / HTTP/1.1\r\nHost: h\r\nX-List: 1\r\nx-LIST: 2\r\nX-Forwarded-For: 10.0.0.1\r\n" +
        "X-Amzn-Trace-Id: Root=1-0-0\r\nConnection: close\r\n\r\n",
    );
    expect(events[0]?.headers).toMatchObject({
      "x-list": "1,2",
      "x-forwarded-for": "10.0.0.1, 127.0.0.1",
      "x-amzn-trace-id": expect.stringMatching(/^Self=1-.*;Root=1-0-0$/),
    });
    expect(events[0]?.requestContext.http).toMatchObject({ sourceIp: "127.0.0.1" });
  });

  it.each([
    ["application/json; charset=utf-8", false],
    ["text/plain", false],
    ["application/xml", false],
    ["application/javascript", false],
    ["application/octet-stream", true],
    ["application/x-www-form-urlencoded", true],
    ["application/vnd.api+json", true],
    [undefined, true],
  ])("hands on a body of type %s as base64: %s", async (contentType, isBase64Encoded) => {
    const { baseUrl, events } = await start();
    const headers = contentType === undefined ? {} : { "content-type": contentType };
    await fetch(baseUrl, { method: "POST", headers, body: Buffer.from("bytes") });
    expect(events[0]).toMatchObject({
      isBase64Encoded,
      body: isBase64Encoded ? Buffer.from("bytes").toString("base64") : "bytes",
    });
  });

  it("cuts the decoded path at an encoded question mark", async () => {
    const { baseUrl, events } = await start();
    await fetch(`${baseUrl}/a%3Fb/c?d`);
    expect(events[0]).toMatchObject({ rawPath: "/a", rawQueryString: "d" });
  });

  it("treats a request that offers another protocol as a plain one", async () => {
    const { gateway } = await start({ run: () => ok({ statusCode: 200, body: "plain" }) });
    const answer = await exchangeRaw(
      gateway.port,
      "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*plain$/);
  });
});

describe("the answer of an HTTP API", () => {
  it("is what the function returned, with the request id that the function saw", async () => {
    const { baseUrl, events } = await start({
      run: () =>
        ok({
          statusCode: 201,
          headers: { "Content-Type": "application/json", "X-One": "1", Connection: "x" },
          cookies: ["a=1", "b=2"],
          body: '{"id":1}',
        }),
    });
    const response = await fetch(baseUrl);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ id: 1 });
    expect(response.headers.get("x-one")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(response.headers.get("apigw-requestid")).toBe(events[0]?.requestContext.requestId);
  });

  it("has no body for HEAD and for 204, and OPTIONS is a request like any other", async () => {
    const { baseUrl } = await start({
      run: (event) =>
        ok({
          statusCode: event.rawPath === "/none" ? 204 : 200,
          body: event.rawPath === "/none" ? "" : "abc",
        }),
    });
    const head = await fetch(baseUrl, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "3", ""]);
    const none = await fetch(`${baseUrl}/none`, { method: "DELETE" });
    expect([none.status, none.headers.get("content-type"), await none.text()]).toEqual([204, null, ""]);
    expect(await (await fetch(baseUrl, { method: "OPTIONS" })).text()).toBe("abc");
  });

  it.each([
    ["crash", 500, "Internal Server Error"],
    ["timeout", 500, "Internal Server Error"],
    ["error", 500, "Internal Server Error"],
    ["response_too_large", 500, "Internal Server Error"],
    ["request_too_large", 413, "Request Entity Too Large"],
    ["throttled", 503, "Service Unavailable"],
  ] as const)("for a function that ends as %s is %i", async (kind, status, message) => {
    const { baseUrl } = await start({ run: () => failed(kind) });
    const response = await fetch(baseUrl);
    expect([response.status, await response.json()]).toEqual([status, { message }]);
  });

  it("for a function without a free place says when to try again", async () => {
    const { baseUrl } = await start({ run: () => failed("throttled") });
    expect((await fetch(baseUrl)).headers.get("retry-after")).toBe("1");
  });

  it.each([
    [{ statusCode: 700 }],
    [{ statusCode: 200, body: {} }],
    [{ statusCode: 200, headers: { "bad name": "x" } }],
    [{ statusCode: 200, headers: { good: "bad\nvalue" } }],
  ])("for the malformed response %j is 500", async (payload) => {
    const { baseUrl } = await start({ run: () => ok(payload) });
    const response = await fetch(baseUrl);
    expect([response.status, await response.json()]).toEqual([500, { message: "Internal Server Error" }]);
    expect(response.headers.get("apigw-requestid")).not.toBeNull();
  });

  it("for an invocation that rejects is 500", async () => {
    const { baseUrl } = await start({ run: () => Promise.reject(new Error("planted")) });
    expect((await fetch(baseUrl)).status).toBe(500);
  });

  it("for a function slower than its route's own timeout is 503", async () => {
    const { baseUrl } = await start({
      http: { routes: [{ routeKey: "$default", functionName: "health", integrationTimeoutMs: 50 }] },
      run: () => new Promise((resolve) => setTimeout(() => resolve(ok({ statusCode: 200 })), 500)),
    });
    expect((await fetch(baseUrl)).status).toBe(503);
  });

  it("for a function slower than the gateway waits is 503", async () => {
    const { baseUrl } = await start({
      http: { integrationTimeoutMs: 50 },
      run: () => new Promise((resolve) => setTimeout(() => resolve(ok({ statusCode: 200 })), 500)),
    });
    const response = await fetch(baseUrl);
    expect([response.status, await response.json()]).toEqual([503, { message: "Service Unavailable" }]);
  });
});

describe("the limits of an HTTP API", () => {
  it("answers 404 without a route and 400 for a path that cannot be decoded", async () => {
    const { baseUrl, events } = await start({ http: { routes: routes.slice(0, 1) } });
    const missing = await fetch(`${baseUrl}/v1/machines/1`);
    expect([missing.status, await missing.json()]).toEqual([404, { message: "Not Found" }]);
    const malformed = await fetch(`${baseUrl}/%zz`);
    expect([malformed.status, await malformed.json()]).toEqual([400, { message: "Bad Request" }]);
    expect(events).toEqual([]);
  });

  it("takes 10,240 bytes of request line and header values, and not one more", async () => {
    const { events, gateway } = await start();
    const line = "GET / HTTP/1.1";
    const send = (total: number) => {
      const value = "a".repeat(total - line.length - "h".length - "close".length);
      return exchangeRaw(gateway.port, `${line}\r\nHost: h\r\nX-Long: ${value}\r\nConnection: close\r\n\r\n`);
    };
    expect(await send(10_240)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(10_241)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*\{"message":"Request Header Fields Too Large"\}$/,
    );
    expect(events).toHaveLength(1);
  });

  it("answers in the same way when the headers are too long for the server itself", async () => {
    const { gateway } = await start();
    const answer = await exchangeRaw(
      gateway.port,
      `GET / HTTP/1.1\r\nHost: h\r\nX-Long: ${"a".repeat(300_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 [\s\S]*\{"message":"Request Header Fields Too Large"\}$/);
  });

  it("answers 400 for what is not HTTP", async () => {
    const { gateway } = await start();
    expect(await exchangeRaw(gateway.port, "nonsense\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*\{"message":"Bad Request"\}$/,
    );
  });

  it("answers 413 for a body above 10 MB, sent with its length or in chunks, and the connection survives it", async () => {
    const { baseUrl, events } = await start();
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, "a");
    const headers = { "content-type": "text/plain" };
    const plain = await fetch(baseUrl, { method: "POST", body: large, headers });
    expect([plain.status, await plain.json()]).toEqual([413, { message: "Request Entity Too Large" }]);
    const chunked = await fetch(baseUrl, {
      method: "POST",
      body: new Blob([large]).stream(),
      duplex: "half",
      headers,
    });
    expect(chunked.status).toBe(413);
    expect(events).toEqual([]);
    expect((await fetch(baseUrl)).status).toBe(200);
  });

  it("answers 429 above the stage's throttle; a route with its own keeps its own", async () => {
    const { baseUrl } = await start({
      http: {
        routes,
        stageThrottle: { rate: 0.001, burst: 2 },
        routeThrottles: { "PATCH /v1/machines/{machine_id}": { rate: 0.001, burst: 1 } },
      },
    });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await fetch(baseUrl)).status);
    for (let count = 0; count < 2; count++) {
      statuses.push((await fetch(`${baseUrl}/v1/machines/1`, { method: "PATCH" })).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
    const refused = await fetch(baseUrl, { method: "POST", body: "unread" });
    expect(await refused.json()).toEqual({ message: "Too Many Requests" });
  });
});

describe("the access log of an HTTP API", () => {
  it("tells the route, the path and the status, and never the query", async () => {
    const entries: AccessLogEntry[] = [];
    const { baseUrl } = await start({
      http: { routes, accessLog: (entry) => entries.push(entry) },
      run: () => ok({ statusCode: 202, body: "abc" }),
    });
    const response = await fetch(`${baseUrl}/v1/machines/1?token=secret`, { method: "PATCH" });
    await response.text();
    expect(entries).toEqual([
      {
        requestId: response.headers.get("apigw-requestid"),
        sourceIp: "127.0.0.1",
        method: "PATCH",
        routeKey: "PATCH /v1/machines/{machine_id}",
        path: "/v1/machines/1",
        status: 202,
        responseBytes: 3,
        durationMs: expect.any(Number),
      },
    ]);
  });
});

describe("a gateway's server", () => {
  it("says in a sentence that a port is in use", async () => {
    const { gateway } = await start();
    await expect(startOn(gateway.port)).rejects.toThrow(
      `port ${gateway.port} is in use: stop what listens there, or choose another with --port`,
    );
  });

  it("stops while a request is under way, and frees the port", async () => {
    const { baseUrl, gateway, events } = await start({ run: () => new Promise(() => undefined) });
    const pending = fetch(baseUrl).catch(() => "dropped");
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await gateway.stop();
    expect(await pending).toBe("dropped");
    const again = await startOn(gateway.port);
    await again.stop();
  });
});

async function startOn(port: number) {
  const { startGateway } = await import("../../../infra/local/gateway/start-gateway.ts");
  const websocket = { handleUpgrade: () => undefined, close: () => Promise.resolve() };
  return startGateway({ port, http: (_request, response) => void response.end(), websocket });
}
