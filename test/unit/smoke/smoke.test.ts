import { expect, it, vi } from "vitest";
import { checkPreflight } from "../../../infra/smoke/check-service.ts";
import { Cleanup } from "../../../infra/smoke/cleanup.ts";
import { receiveWebhook } from "../../../infra/smoke/receive-webhook.ts";
import type { Smoke } from "../../../infra/smoke/smoke.ts";
import { failureOf } from "../../../infra/smoke/smoke-failure.ts";
import type { ApiClient } from "../../../shared/client/api-client.ts";
import { ApiUnreachable, apiErrorOf } from "../../../shared/client/api-error.ts";
import type { ErrorBody } from "../../../shared/contract/errors.ts";
import type { ErrorCode } from "../../../shared/vocabulary/error-codes.ts";

const origin = "https://dashboard.example.com";
const desktop = { machineId: "0198c5f2-7c1a-7e3b-8d44-3f6a0b9c1d2e" } as Parameters<typeof receiveWebhook>[1];

function smokeOf(given: Partial<Smoke>): Smoke {
  return {
    url: "https://api.example.com",
    timeoutMs: 1,
    signal: new AbortController().signal,
    name: "smoke-test",
    cleanup: new Cleanup(),
    ...given,
  } as Smoke;
}

/** A service whose endpoint has these deliveries. */
function adminWith(deliveries: readonly object[], addresses: string[] = []): ApiClient {
  const call = async (id: string, input: { readonly body?: { readonly url?: string } }) => {
    if (input.body?.url !== undefined) addresses.push(input.body.url);
    return id === "createWebhookEndpoint" ? { id: "endpoint", secret: "" } : { items: deliveries };
  };
  return { call } as unknown as ApiClient;
}

function bodyOf(error_code: ErrorCode): ErrorBody {
  const timestamp = new Date(0).toISOString();
  return { error: "No", message: "no", error_code, details: null, timestamp };
}

const attempt = { status_code: 404, error: null };

it("a page whose preflight is allowed may send its request", async () => {
  const headers = { "access-control-allow-origin": origin };
  vi.stubGlobal("fetch", async () => new Response(null, { status: 200, headers }));
  const request = { part: "bucket CORS", url: "https://files.example.com/a", method: "PUT", headers: [] };
  await expect(checkPreflight(smokeOf({}), origin, request)).resolves.toBeUndefined();
  const other = checkPreflight(smokeOf({}), "https://elsewhere.example.com", request);
  await expect(other).rejects.toMatchObject({ part: "bucket CORS" });
});

it("a deployed service is asked to deliver to itself, and the receipt is said not to be tried", async () => {
  const addresses: string[] = [];
  const admin = adminWith([{ id: "delivery", status: "pending", attempts: [attempt] }], addresses);
  expect(await receiveWebhook(smokeOf({ admin }), desktop)).toBe(
    "attempted (404); receipt not tried: no --webhook-url",
  );
  expect(addresses).toEqual(["https://api.example.com/v1/health"]);
});

it("a receiver that is given has to take the webhook", async () => {
  const webhookUrl = "https://hooks.example.com/das";
  const withDelivery = (status: string) =>
    receiveWebhook(
      smokeOf({ webhookUrl, admin: adminWith([{ id: "a", status, attempts: [attempt] }]) }),
      desktop,
    );
  expect(await withDelivery("delivered")).toBe("received at --webhook-url");
  await expect(withDelivery("pending")).rejects.toMatchObject({ part: "--webhook-url" });
});

it("what is left is named, and keeps nothing else from being removed", async () => {
  const cleanup = new Cleanup();
  const removed: string[] = [];
  const gone = apiErrorOf(new Response(null, { status: 404 }), JSON.stringify(bodyOf("not_found")));
  cleanup.add("key", async () => void removed.push("key"));
  cleanup.add("machine", () => Promise.reject(new Error("away")));
  cleanup.add("run", () => Promise.reject(gone));
  cleanup.add("workflow", async () => void removed.push("workflow"));
  await expect(cleanup.run()).rejects.toThrow("not removed: machine");
  expect(removed).toEqual(["workflow", "key"]);
});

it("a refusal is told with its code and its request", () => {
  const response = new Response(null, { status: 503, headers: { "x-request-id": "abc" } });
  const body = bodyOf("service_unavailable");
  expect(failureOf(apiErrorOf(response, JSON.stringify(body)), "table")).toMatchObject({
    part: "table",
    message: "no (service_unavailable, request abc)",
  });
});

it("a connection that failed is told with its cause", () => {
  const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") });
  expect(failureOf(new ApiUnreachable(cause), "health").message).toBe(
    "the service did not respond: connect ECONNREFUSED 127.0.0.1:1",
  );
});
