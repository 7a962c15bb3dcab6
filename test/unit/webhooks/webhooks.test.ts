import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createWebhooksApp } from "../../../functions/webhooks/app.ts";
import {
  WebhookDeliveryList,
  WebhookDeliveryWithBody,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookTestResult,
} from "../../../shared/contract/webhook/webhook.ts";
import { WebhookTestEvent } from "../../../shared/contract/webhook/webhook-events.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import { deliveryName } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { endpointSendsMax } from "../../../shared/domain/webhook/delivery/sends.ts";
import { organizationSendsMax, webhookEndpointsMax } from "../../../shared/vocabulary/events.ts";
import { aDelivery } from "../../support/builders/webhooks.ts";
import { asking, createTestService } from "../../support/shared/test-service.ts";

const path = "/v1/webhook-endpoints";
const url = "https://hooks.example.com/das?for=us";

async function setUp() {
  const service = await createTestService();
  const app = createWebhooksApp(service.deps);
  const ask = asking(app, service.authorize(), path);
  const made = async (fields = {}) =>
    WebhookEndpointWithSecret.parse((await ask("POST", "", { url, ...fields })).json);
  const stored = async (organizationId: OrganizationId, id: string) => {
    const endpoint = await service.stores.webhookEndpoints.find(organizationId, id);
    if (endpoint === undefined) throw new Error("there is no such endpoint");
    return endpoint;
  };
  return { ...service, ask, made, stored, sender: service.stores.webhookSender };
}

describe("POST /v1/webhook-endpoints", () => {
  it("makes one that every event is sent to, and shows its secret this once", async () => {
    const { ask, organizationId } = await setUp();
    const { status, json } = await ask("POST", "", { url });
    expect(status).toBe(201);
    const { secret, ...endpoint } = WebhookEndpointWithSecret.parse(json);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      organization_id: organizationId,
      url,
      description: "",
      event_types: [],
      is_enabled: true,
      disabled_reason: null,
      failing_since: null,
      previous_secret_expires_at: null,
      created_at: expect.any(String),
      updated_at: json.created_at,
    });
    expect((await ask("GET", `/${endpoint.id}`)).json).toEqual(endpoint);
    expect((await ask("GET", "")).json).toEqual({ items: [endpoint], total: 1, skip: 0, limit: 100 });
  });

  it.each([
    ["http", "http://hooks.example.com/"],
    ["no URL", "https://hooks.example.com:port"],
    ["a user", "https://user@hooks.example.com/"],
    ["a password", "https://:secret@hooks.example.com/"],
    ["a fragment", "https://hooks.example.com/#here"],
    ["loopback", "https://127.0.0.1/"],
    ["loopback by another spelling", "https://0x7f.1/"],
    ["loopback as a number", "https://2130706433/"],
    ["loopback by name", "https://localhost:8443/"],
    ["loopback by a name that ends in a dot", "https://api.localhost./"],
    ["loopback of IPv6", "https://[::1]/"],
    ["the unspecified address", "https://0.0.0.0/"],
    ["a private address", "https://10.0.0.7/"],
    ["link-local, where metadata are", "https://169.254.169.254/latest/meta-data/"],
    ["shared address space", "https://100.64.0.1/"],
    ["multicast", "https://224.0.0.1/"],
    ["a unique local address", "https://[fd00:ec2::254]/"],
    ["link-local of IPv6", "https://[fe80::1]/"],
    ["IPv4 mapped into IPv6", "https://[::ffff:10.0.0.7]/"],
    ["IPv4 in IPv6, as it was", "https://[::10.0.0.7]/"],
    ["IPv4 through NAT64", "https://[64:ff9b::a00:7]/"],
    ["IPv4 through 6to4", "https://[2002:a00:7::]/"],
  ])("refuses %s as the address", async (_what, refused) => {
    const { ask, stores } = await setUp();
    const { status, json } = await ask("POST", "", { url: refused });
    expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([422, ["body", "url"], "value_error"]);
    expect(stores.secrets.names()).toEqual([]);
  });

  it("makes ten, and none more until one is deleted, with no secret left behind", async () => {
    const { ask, made, stores } = await setUp();
    const ids: string[] = [];
    for (let count = 0; count < webhookEndpointsMax; count += 1) {
      ids.push((await made()).id);
      stores.clock.advance(1_000);
    }
    const refused = await ask("POST", "", { url }, { "Idempotency-Key": "one" });
    expect([refused.status, refused.json.error_code]).toEqual([409, "limit_reached"]);
    expect(stores.secrets.names()).toHaveLength(webhookEndpointsMax);
    expect((await ask("DELETE", `/${ids[0]}`)).status).toBe(204);
    expect(stores.secrets.names()).toHaveLength(webhookEndpointsMax - 1);
    expect((await ask("POST", "", { url })).status).toBe(201);
  });

  it("repeats the same endpoint and secret under one key, none of it on record in plain text", async () => {
    const { ask, stores, log } = await setUp();
    const headers = { "Idempotency-Key": "once" };
    const first = await ask("POST", "", { url }, headers);
    expect((await ask("POST", "", { url }, headers)).json).toEqual(first.json);
    expect((await ask("GET", "")).json.total).toBe(1);
    const rows = JSON.stringify(stores.model.takeRecords());
    const secret: string = first.json.secret;
    for (const kept of [rows, log.text()]) expect(kept).not.toContain(secret.slice("whsec_".length));
  });
});

describe("PATCH /v1/webhook-endpoints/{endpoint_id}", () => {
  it("changes the fields given, and judges a new address as one that is made", async () => {
    const { ask, made } = await setUp();
    const { secret: _, ...endpoint } = await made();
    const change = { description: "ours", event_types: ["run.complete"] };
    const { status, json } = await ask("PATCH", `/${endpoint.id}`, change);
    expect([status, WebhookEndpoint.parse(json)]).toEqual([
      200,
      { ...endpoint, ...change, updated_at: expect.any(String) },
    ]);
    expect((await ask("PATCH", `/${endpoint.id}`, { url: "https://10.0.0.7/" })).status).toBe(422);
  });

  it("switches one on again that failed, as if it had not", async () => {
    const { ask, made, stores, organizationId, stored } = await setUp();
    const { id } = await made();
    const endpoint = await stored(organizationId, id);
    await stores.webhookEndpoints.noteFailure(endpoint, { at: endpoint.createdAt, isTimeout: true });
    await stores.webhookEndpoints.switchOff(endpoint, "failing");
    expect((await ask("GET", `/${id}`)).json).toMatchObject({
      is_enabled: false,
      disabled_reason: "failing",
      failing_since: endpoint.createdAt,
    });
    expect((await ask("PATCH", `/${id}`, { is_enabled: true })).json).toMatchObject({
      is_enabled: true,
      disabled_reason: null,
      failing_since: null,
    });
    expect(await stored(organizationId, id)).toMatchObject({ timeouts: 0 });
  });
});

describe("POST /v1/webhook-endpoints/{endpoint_id}/rotate-secret", () => {
  it("signs by both secrets for 24 hours, then by the new one", async () => {
    const { ask, made, stores, sender } = await setUp();
    const { id, secret: old } = await made();
    stores.clock.advance(1_000);
    const { status, json } = await ask("POST", `/${id}/rotate-secret`);
    const { secret, previous_secret_expires_at: until } = WebhookEndpointWithSecret.parse(json);
    expect([status, secret === old]).toEqual([200, false]);
    expect(Date.parse(String(until)) - stores.clock.now()).toBe(24 * 3_600_000);
    await ask("POST", `/${id}/test`);
    stores.clock.advance(24 * 3_600_000);
    await ask("POST", `/${id}/test`);
    expect(sender.sent.map(({ secrets }) => secrets)).toEqual([[secret, old], [secret]]);
    expect((await ask("GET", `/${id}`)).json.previous_secret_expires_at).toBeNull();
    expect(stores.secrets.names()).toHaveLength(1);
  });

  it("answers a repeat with what the first one made, and 409 once that was replaced", async () => {
    const { ask, made, stores } = await setUp();
    const { id } = await made();
    const rotate = async (key: string) => {
      stores.clock.advance(1_000);
      return await ask("POST", `/${id}/rotate-secret`, undefined, { "Idempotency-Key": key });
    };
    const first = await rotate("one");
    expect((await rotate("one")).json).toEqual(first.json);
    await rotate("two");
    expect((await rotate("one")).json.error_code).toBe("conflict");
  });
});

describe("POST /v1/webhook-endpoints/{endpoint_id}/test", () => {
  it("sends one event, also to one that is switched off, and answers what became of it", async () => {
    const { ask, made, sender } = await setUp();
    const { id, secret } = await made({ is_enabled: false });
    sender.outcome = { statusCode: 302, responseBody: "elsewhere", durationMs: 34 };
    const { status, json } = await ask("POST", `/${id}/test`);
    const [sent] = sender.sent;
    expect([status, WebhookTestResult.parse(json)]).toEqual([
      200,
      {
        event_id: sent?.id,
        is_delivered: false,
        status_code: 302,
        error: null,
        duration_ms: 34,
        response_body: "elsewhere",
      },
    ]);
    expect(sent).toMatchObject({ url, secrets: [secret], keptBytes: 1_024 });
    const event = WebhookTestEvent.parse(JSON.parse(sent?.body ?? ""));
    expect([event.event_id, event.endpoint]).toEqual([sent?.id, { id }]);
  });

  it("is refused while the organization has twenty webhooks in flight, and gives its place back", async () => {
    const { ask, made, sender, stores, organizationId } = await setUp();
    const { id } = await made();
    const others = Array.from({ length: organizationSendsMax - 1 }, () => v7());
    for (const endpointId of others) {
      await stores.sends.take({ organizationId, endpointId, id: endpointId }, "new");
    }
    sender.outcome = { statusCode: null, error: "timeout" };
    for (let tests = 0; tests < 3; tests += 1) expect((await ask("POST", `/${id}/test`)).status).toBe(200);
    await stores.sends.take({ organizationId, endpointId: id, id: v7() }, "new");
    const { status, json, headers } = await ask("POST", `/${id}/test`);
    expect([status, json.error_code, headers.get("Retry-After")]).toEqual([429, "organization_busy", "1"]);
    expect(sender.sent).toHaveLength(3);
  });
});

describe("deliveries", () => {
  async function delivered() {
    const world = await setUp();
    const { id } = await world.made();
    const endpoint = await world.stored(world.organizationId, id);
    const at = (ms: number) => new Date(world.stores.clock.now() + ms).toISOString();
    const createdAt = at(-1_000);
    const old = at(-31 * 24 * 3_600_000);
    const deliveries = [aDelivery(endpoint, { createdAt }), aDelivery(endpoint, { createdAt: at(0) })];
    for (const each of [...deliveries, aDelivery(endpoint, { createdAt: old })]) {
      await world.stores.deliveries.create(each);
    }
    return { ...world, endpoint, deliveries };
  }

  it("are listed newest first, for 30 days, each with its attempts", async () => {
    const { ask, stores, endpoint, deliveries } = await delivered();
    const [first, second] = deliveries;
    if (first === undefined || second === undefined) throw new Error("there are two");
    const attempt = { attemptedAt: first.createdAt, statusCode: 500, error: null, durationMs: 7 };
    const nextAttemptAt = "2026-02-03T04:05:06.007Z";
    await stores.deliveries.note(first, { status: "pending", nextAttemptAt, attempt });
    const { json } = await ask("GET", `/${endpoint.id}/deliveries`);
    const list = WebhookDeliveryList.parse(json);
    expect([list.total, list.items.map(({ id }) => id)]).toEqual([2, [second.id, first.id]]);
    expect(list.items[1]).toEqual({
      id: first.id,
      endpoint_id: endpoint.id,
      event_id: first.eventId,
      event_type: "run.complete",
      status: "pending",
      next_attempt_at: nextAttemptAt,
      created_at: first.createdAt,
      attempts: [{ attempted_at: first.createdAt, status_code: 500, error: null, duration_ms: 7 }],
    });
    const page = await ask("GET", `/${endpoint.id}/deliveries?skip=1&limit=1`);
    expect(page.json.items.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  });

  it("are read with the body that is sent, by their own organization and endpoint, until it is gone", async () => {
    const { ask, made, stores, endpoint, deliveries } = await delivered();
    const [kept, expired] = deliveries;
    if (kept === undefined || expired === undefined) throw new Error("there are two");
    const { organizationId, eventId, createdAt } = kept;
    const body = '{"event_type":"run.complete", "run":{}}';
    await stores.deliveries.putMessage({ organizationId, eventId, createdAt, body });
    const read = async (id: string, of = endpoint.id) => await ask("GET", `/${of}/deliveries/${id}`);
    const { status, json } = await read(kept.id);
    expect([status, WebhookDeliveryWithBody.parse(json)]).toMatchObject([200, { id: kept.id, body }]);
    expect((await read(expired.id)).json).toMatchObject({ id: expired.id, body: null });
    expect((await read(kept.id, (await made()).id)).status).toBe(404);
    expect((await read(v7())).status).toBe(404);
  });

  it("are begun anew by a redelivery, once under one key, without an execution", async () => {
    const { ask, stores, endpoint, deliveries } = await delivered();
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error("there are two");
    await stores.deliveries.note(delivery, { status: "failed", nextAttemptAt: null });
    const at = `/${endpoint.id}/deliveries/${delivery.id}/redeliver`;
    const headers = { "Idempotency-Key": "once" };
    const answers = [await ask("POST", at, undefined, headers), await ask("POST", at, undefined, headers)];
    for (const { status, json } of answers) {
      expect([status, json.id, json.status]).toEqual([200, delivery.id, "pending"]);
    }
    expect(stores.deliveryStarter.started.map(({ job }) => deliveryName(job))).toEqual([
      `${delivery.id}-2-1`,
    ]);
    expect(stores.deliveryExecutions.started).toEqual([]);
  });

  it("take a place for each redelivery, of which a sixth of one endpoint waits", async () => {
    const { ask, stores, endpoint, deliveries } = await delivered();
    const at = `/${endpoint.id}/deliveries/${deliveries[0]?.id}/redeliver`;
    for (let times = 0; times < endpointSendsMax + 1; times += 1) await ask("POST", at);
    expect(stores.deliveryStarter.started).toHaveLength(endpointSendsMax);
  });

  it("are not sent again of another endpoint, nor to one that is switched off", async () => {
    const { ask, made, endpoint, deliveries } = await delivered();
    const other = await made();
    const redelivery = (id: string) => ask("POST", `/${id}/deliveries/${deliveries[0]?.id}/redeliver`);
    expect((await redelivery(other.id)).status).toBe(404);
    expect((await redelivery(v7())).status).toBe(404);
    await ask("PATCH", `/${endpoint.id}`, { is_enabled: false });
    expect((await redelivery(endpoint.id)).json.error_code).toBe("conflict");
  });
});
