import { describe, expect, it } from "vitest";
import { attemptDelivery } from "../../../shared/domain/webhook/delivery/attempt-delivery.ts";
import { deliver } from "../../../shared/domain/webhook/delivery/deliver.ts";
import type { Delivery } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { endpointSlots } from "../../../shared/domain/webhook/webhook-endpoint-store.ts";
import { aDelivery, aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { MemoryDurable } from "../../support/execution/memory-durable.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { RecordingLogger } from "../../support/tunnel-world/recording-logger.ts";

const dayMs = 24 * 3_600_000;
const body = '{"event_type":"run.complete"}';

async function setUp() {
  const stores = createModelStores();
  const { clock, webhookSender: sender } = stores;
  const now = () => new Date(clock.now()).toISOString();
  const secret = stores.mintSigningSecret();
  const endpoint = aWebhookEndpoint({ createdAt: now() });
  const { organizationId, id: endpointId } = endpoint;
  await stores.secrets.create(endpoint.secretName, { secret });
  await stores.webhookEndpoints.create(endpoint);
  const deps = { ...stores, random: () => 0.5, logger: new RecordingLogger() };
  const put = async () => {
    const delivery = aDelivery(endpoint, { createdAt: now(), roundStartedAt: now() });
    const { eventId, createdAt } = delivery;
    await stores.deliveries.putMessage({ organizationId, eventId, body, createdAt });
    await stores.deliveries.create(delivery);
    return delivery;
  };
  const send = async (delivery: Delivery, round = delivery.round) => {
    const durable = new MemoryDurable({ clock });
    const { id: deliveryId, eventId } = delivery;
    const job = { organizationId, endpointId, deliveryId, eventId, round };
    const outcome = await durable.run((engine) => deliver(engine, deps, job), { invocationsMax: 2_000 });
    const found = await stores.deliveries.find(organizationId, deliveryId);
    return { ...outcome, delivery: found, operations: durable.operations };
  };
  const found = async () => await stores.webhookEndpoints.find(organizationId, endpointId);
  return { ...stores, deps, sender, secret, endpoint, put, send, found };
}

describe("a delivery", () => {
  it("is over with the first 2xx, signed by the endpoint's secret", async () => {
    const { put, send, sender, secret, endpoint } = await setUp();
    const queued = await put();
    const { kind, status, delivery, operations } = await send(queued);
    expect([kind, status]).toEqual(["over", "delivered"]);
    expect(sender.sent).toEqual([
      { url: endpoint.url, id: queued.eventId, body, secrets: [secret], keptBytes: 0 },
    ]);
    expect(delivery).toMatchObject({
      status: "delivered",
      nextAttemptAt: null,
      attempts: [{ statusCode: 204, error: null, durationMs: 12 }],
    });
    expect(JSON.stringify(operations)).not.toContain(secret);
  });

  it("is tried ten times, the same bytes under one id, at the times that are promised", async () => {
    const { put, send, sender, clock } = await setUp();
    const times: number[] = [];
    sender.outcome = { statusCode: 500 };
    const post = sender.send.bind(sender);
    sender.send = async (request) => {
      times.push(clock.now());
      return await post(request);
    };
    const queued = await put();
    const { status, delivery, operations } = await send(queued);
    const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1_000);
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect([status, delivery?.status, delivery?.attempts.length]).toEqual(["failed", "failed", 10]);
    expect(new Set(sender.sent.map((sent) => JSON.stringify(sent))).size).toBe(1);
    expect(operations).toHaveLength(19);
  });

  it("is not sent to an endpoint that is gone or switched off, nor once more when it was delivered", async () => {
    const { put, send, sender, endpoint, webhookEndpoints } = await setUp();
    const [first, second, third] = [await put(), await put(), await put()];
    await send(first);
    await send(first);
    expect(sender.sent).toHaveLength(1);
    await webhookEndpoints.switchOff(endpoint, "failing");
    expect((await send(second)).delivery?.status).toBe("cancelled");
    await webhookEndpoints.remove(endpoint.organizationId, endpoint.id);
    expect((await send(third)).delivery?.status).toBe("cancelled");
    expect(sender.sent).toHaveLength(1);
  });

  it("leaves the event to the round that was begun last", async () => {
    const { put, send, sender, deliveries, endpoint } = await setUp();
    const queued = await put();
    await deliveries.beginRound(endpoint.organizationId, queued.id);
    expect((await send(queued, 1)).operations).toHaveLength(1);
    expect(sender.sent).toEqual([]);
    expect((await send(queued, 2)).delivery?.status).toBe("delivered");
  });

  it("gives its place back, whatever happens", async () => {
    const { put, send, sender, webhookEndpoints, endpoint, secrets } = await setUp();
    for (let sent = 0; sent <= endpointSlots; sent += 1) await send(await put());
    expect(sender.sent).toHaveLength(endpointSlots + 1);
    await secrets.remove(endpoint.secretName);
    await expect(send(await put())).rejects.toThrow(
      "attempt 1 of the execution of a delivery failed 15 times",
    );
    const found = await webhookEndpoints.findWithSlots(endpoint.organizationId, endpoint.id);
    expect(found?.freeSlots).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("an endpoint", () => {
  it("is switched off by 410, which ends the delivery", async () => {
    const { put, send, sender, found } = await setUp();
    sender.outcome = { statusCode: 410 };
    expect((await send(await put())).status).toBe("failed");
    expect(sender.sent).toHaveLength(1);
    expect(await found()).toMatchObject({ isEnabled: false, disabledReason: "gone" });
  });

  it("is switched off by five days of failures, and not while something succeeds", async () => {
    const { put, send, sender, found, clock } = await setUp();
    const failing = async () => {
      sender.outcome = { statusCode: 500 };
      await send(await put());
    };
    await failing();
    sender.outcome = {};
    await send(await put());
    expect(await found()).toMatchObject({ isEnabled: true, failingSince: null });
    const since = new Date(clock.now()).toISOString();
    await failing();
    expect(await found()).toMatchObject({ isEnabled: true, failingSince: since });
    clock.advance(2 * dayMs);
    expect((await found())?.isEnabled).toBe(true);
    await failing();
    expect(await found()).toMatchObject({ isEnabled: false, disabledReason: "failing" });
  });

  it("has five attempts in flight at most; a sixth delivery waits, and counts no attempt", async () => {
    const { put, send, sender, webhookEndpoints, endpoint, deliveries, clock } = await setUp();
    const freeSlots = [0, 1, 2, 3, 4];
    const taken = await Promise.all(
      Array.from({ length: endpointSlots + 1 }, (_, index) =>
        webhookEndpoints.takeSlot({ endpoint, freeSlots }, `00000000-0000-7000-8000-00000000000${index}`),
      ),
    );
    expect(taken.map((slot) => slot?.number ?? -1).sort()).toEqual([-1, 0, 1, 2, 3, 4]);
    const queued = await put();
    const before = clock.now();
    const { delivery, operations } = await send(queued);
    expect(delivery).toMatchObject({ status: "delivered", attempts: [expect.anything()] });
    expect(clock.now() - before).toBeGreaterThan(15_000);
    expect(operations.length).toBeLessThan(20);
    expect(sender.sent).toHaveLength(1);
    expect(await deliveries.find(endpoint.organizationId, queued.id)).toMatchObject({ round: 1 });
  });

  it("that timed out three times in a row is tried once a minute by all deliveries together", async () => {
    const { put, deps, sender, clock, endpoint, found } = await setUp();
    sender.outcome = { statusCode: null, error: "timeout" };
    const { organizationId, id: endpointId } = endpoint;
    const queued = [await put(), await put(), await put(), await put()];
    const attempt = async (index: number) => {
      const { id: deliveryId = "", eventId = "", round = 1 } = queued[index] ?? {};
      const job = { organizationId, endpointId, deliveryId, eventId, round };
      return await attemptDelivery(deps, job, { number: 1, deferrals: 0 });
    };
    for (const index of [0, 1, 2]) expect(await attempt(index)).toMatchObject({ kind: "again" });
    expect(await attempt(3)).toEqual({ kind: "later", waitSeconds: 61 });
    clock.advance(60_000);
    expect(await attempt(3)).toEqual({ kind: "again", waitSeconds: 5 });
    expect(await attempt(0)).toMatchObject({ kind: "later" });
    expect(sender.sent).toHaveLength(4);
    clock.advance(60_000);
    sender.outcome = {};
    expect(await attempt(0)).toMatchObject({ kind: "over", status: "delivered" });
    expect(await attempt(1)).toMatchObject({ kind: "over", status: "delivered" });
    expect(await found()).toMatchObject({ timeouts: 0, failingSince: null, nextTryAtMs: null });
  });
});
