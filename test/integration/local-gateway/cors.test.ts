import { describe, expect, it } from "vitest";
import { type Harness, type HarnessOptions, ok, start } from "./gateway-harness.ts";

const page = "https://dashboard.example.com";
const cors = {
  allowOrigins: [page, "http://localhost:5173"],
  allowMethods: ["GET", "PATCH"],
  allowHeaders: ["Authorization", "Idempotency-Key"],
  exposeHeaders: ["Retry-After", "X-Request-Id"],
  maxAgeSeconds: 600,
};

async function startWith(http: HarnessOptions["http"], headers: Readonly<Record<string, string>> = {}) {
  return await start({ http: { ...http }, run: () => ok({ statusCode: 401, headers }) });
}

function preflight({ baseUrl }: Harness, origin: string): Promise<Response> {
  const headers = { origin, "access-control-request-method": "PATCH" };
  return fetch(`${baseUrl}/v1/machines/1`, { method: "OPTIONS", headers });
}

function permission({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

describe("a page of an origin that may call the API", () => {
  it("is told so before the request, by no function", async () => {
    const harness = await startWith({ cors });
    const response = await preflight(harness, page);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(permission(response)).toEqual({
      "access-control-allow-origin": page,
      "access-control-allow-methods": "GET,PATCH",
      "access-control-allow-headers": "Authorization,Idempotency-Key",
      "access-control-max-age": "600",
    });
    expect(harness.events).toEqual([]);
  });

  it("reads responses and refusals, the gateway's own too, and the headers named", async () => {
    const refusal = await startWith({ cors }, { "Access-Control-Allow-Origin": "*" });
    const throttled = await startWith({ cors, stageThrottle: { rate: 0, burst: 0 } });
    for (const [{ baseUrl }, status] of [
      [refusal, 401],
      [throttled, 429],
    ] as const) {
      const response = await fetch(`${baseUrl}/v1/machines`, { headers: { origin: page } });
      expect(response.status).toBe(status);
      expect(permission(response)).toEqual({
        "access-control-allow-origin": page,
        "access-control-expose-headers": "Retry-After,X-Request-Id",
      });
    }
  });
});

describe("a page of another origin", () => {
  it("is told nothing", async () => {
    const harness = await startWith({ cors }, { "access-control-allow-origin": "*" });
    const before = await preflight(harness, "https://elsewhere.example.com");
    const request = await fetch(harness.baseUrl, {
      headers: { origin: "https://dashboard.example.com.evil" },
    });
    expect([before.status, permission(before)]).toEqual([204, {}]);
    expect([request.status, permission(request)]).toEqual([401, {}]);
  });
});

describe("an OPTIONS that is no preflight, or an API without the setting", () => {
  it("is a request like others", async () => {
    const harness = await startWith({ cors });
    await fetch(harness.baseUrl, { method: "OPTIONS", headers: { origin: page } });
    const without = await startWith({});
    const response = await preflight(without, page);
    expect([response.status, permission(response)]).toEqual([401, {}]);
    expect([harness.events.length, without.events.length]).toEqual([1, 1]);
  });
});
