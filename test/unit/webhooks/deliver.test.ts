import { describe, expect, it } from "vitest";
import { attemptDelivery } from "../../../shared/domain/webhook/delivery/attempt-delivery.ts";
import type { Delivery } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { firstAttempt } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { endpointSendsMax, sendOf } from "../../../shared/domain/webhook/delivery/sends.ts";
import { startDueDeliveries } from "../../../shared/domain/webhook/delivery/start-due-deliveries.ts";
import { aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { webhookBody as body, webhooksWorld } from "../../support/execution/webhooks-world.ts";

const dayMs = 24 * 3_600_000;

async function setUp() {
  const world = webhooksWorld();
  const endpoint = aWebhookEndpoint({ createdAt: new Date(world.clock.now()).toISOString() });
  const { organizationId, id: endpointId } = endpoint;
  const secret = await world.add(endpoint);
  const put = async () => await world.put(endpoint);
  const send = async (delivery: Delivery, round = delivery.round) => {
    await world.queue({ ...delivery, round });
    const done = await world.carryOutAll();
    const found = await world.deliveries.find(organizationId, delivery.id);
    return {
      delivery: found,
      outcome: done.at(-1)?.outcome,
      operations: done.flatMap((each) => each.operations),
      starts: done.map(({ operations }) => (operations.length === 0 ? "invocation" : "execution")),
    };
  };
  const found = async () => await world.webhookEndpoints.find(organizationId, endpointId);
  return { ...world, sender: world.webhookSender, secret, endpoint, put, send, found };
}

describe("a delivery", () => {
  it("is over with the first 2xx, signed by the endpoint's secret, without an execution", async () => {
    const { put, send, sender, secret, endpoint } = await setUp();
    const queued = await put();
    const { delivery, starts } = await send(queued);
    expect(starts).toEqual(["invocation"]);
    expect(sender.sent).toEqual([
      { url: endpoint.url, id: queued.eventId, body, secrets: [secret], keptBytes: 0 },
    ]);
    expect(delivery).toMatchObject({
      status: "delivered",
      nextAttemptAt: null,
      attempts: [{ statusCode: 204, error: null, durationMs: 12 }],
    });
  });

  it("is tried ten times, the same bytes under one id, at the times that are promised", async () => {
    const { put, send, sender, clock, secret } = await setUp();
    const times: number[] = [];
    sender.outcome = { statusCode: 500 };
    const post = sender.send.bind(sender);
    sender.send = async (request) => {
      times.push(clock.now());
      return await post(request);
    };
    const queued = await put();
    const { outcome, delivery, operations, starts } = await send(queued);
    const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1_000);
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(outcome).toEqual({ kind: "over", status: "failed" });
    expect([delivery?.status, delivery?.attempts.length]).toEqual(["failed", 10]);
    expect(new Set(sender.sent.map((sent) => JSON.stringify(sent))).size).toBe(1);
    // Each attempt is one step, and but for the last a wait and the step that queues the next one.
    expect(operations).toHaveLength(28);
    expect(starts).toEqual(Array(10).fill(["invocation", "execution"]).flat());
    expect(JSON.stringify(operations)).not.toContain(secret);
  });

  it("says in its first attempt's line alone how long after its event it came", async () => {
    const { put, send, sender, clock, deps } = await setUp();
    sender.outcome = { statusCode: 500 };
    const queued = await put();
    clock.advance(4_000);
    await send(queued);
    const sent = deps.logger.lines.filter(({ message }) => message === "a webhook was sent");
    expect(sent.map(({ fields }) => fields.webhook_late_ms).slice(0, 2)).toEqual([4_000, undefined]);
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
    expect((await send(queued, 1)).starts).toEqual(["invocation"]);
    expect(sender.sent).toEqual([]);
    expect((await send(queued, 2)).delivery?.status).toBe("delivered");
  });

  it("gives its place back, whatever happens", async () => {
    const { put, send, sender, sends, endpoint, secrets } = await setUp();
    for (let sent = 0; sent <= endpointSendsMax; sent += 1) await send(await put());
    expect(sender.sent).toHaveLength(endpointSendsMax + 1);
    await secrets.remove(endpoint.secretName);
    await expect(send(await put())).rejects.toThrow(
      "attempt 1 of the execution of a delivery failed 15 times",
    );
    const { sends: left } = await sends.take(sendOf(firstAttempt(await put())), "new");
    expect(left.count).toBe(1);
  });
});

describe("an endpoint", () => {
  it("is switched off by 410, which ends the delivery", async () => {
    const { put, send, sender, found } = await setUp();
    sender.outcome = { statusCode: 410 };
    expect((await send(await put())).delivery?.status).toBe("failed");
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

  it("has five attempts in flight at most; a sixth delivery is started by the end of one", async () => {
    const { put, queue, takeStarted, carryOut, carryOutAll, sender } = await setUp();
    const queued: Delivery[] = [];
    for (let count = 0; count < endpointSendsMax + 2; count += 1) {
      queued.push(await put());
      for (const delivery of queued.slice(-1)) await queue(delivery);
    }
    const started = takeStarted();
    expect(started.map(({ job }) => job.deliveryId)).toEqual(queued.slice(0, 5).map(({ id }) => id));
    const [first] = started;
    if (first === undefined) throw new Error("five were started");
    await carryOut(first);
    const next = takeStarted();
    expect(next.map(({ job }) => job.deliveryId)).toEqual([queued[5]?.id]);
    for (const each of [...started.slice(1), ...next]) await carryOut(each);
    await carryOutAll();
    expect(sender.sent.map(({ id }) => id).sort()).toEqual(queued.map(({ eventId }) => eventId).sort());
  });

  it("that timed out three times in a row is tried once a minute, and by all again once it takes one", async () => {
    const { put, deps, queue, takeStarted, carryOutAll, sender, clock, found } = await setUp();
    sender.outcome = { statusCode: null, error: "timeout" };
    for (let count = 0; count < 3; count += 1) await queue(await put());
    const again = { kind: "again", waitSeconds: 5 };
    for (const { job } of takeStarted()) expect(await attemptDelivery(deps, job, "a")).toEqual(again);
    expect(await found()).toMatchObject({ timeouts: 3 });
    for (let count = 0; count < 3; count += 1) await queue(await put());
    clock.advance(59_999);
    expect([await startDueDeliveries(deps), takeStarted()]).toEqual([0, []]);
    clock.advance(1);
    expect(await startDueDeliveries(deps)).toBe(1);
    for (const { job } of takeStarted()) expect(await attemptDelivery(deps, job, "a")).toEqual(again);
    expect([sender.sent.length, takeStarted()]).toEqual([4, []]);
    clock.advance(60_000);
    sender.outcome = {};
    expect(await startDueDeliveries(deps)).toBe(1);
    await carryOutAll();
    expect(sender.sent).toHaveLength(6);
    expect(await found()).toMatchObject({ timeouts: 0, failingSince: null });
  });

  it("waits in an execution where it began after its place had ended and all are taken", async () => {
    const { put, queue, takeStarted, carryOut, clock, sender, sends } = await setUp();
    await queue(await put());
    const [late] = takeStarted();
    if (late === undefined) throw new Error("it was started");
    clock.advance(60_001);
    for (let count = 0; count < endpointSendsMax; count += 1) await queue(await put());
    takeStarted();
    await carryOut(late);
    const [execution] = takeStarted();
    if (execution === undefined) throw new Error("it was started to wait for a place");
    const { outcome, operations } = await carryOut(execution);
    expect(outcome).toEqual({ kind: "over", status: "delivered" });
    expect(operations.map(({ kind }) => kind).slice(0, 3)).toEqual(["step", "wait", "step"]);
    expect(sender.sent).toHaveLength(1);
    expect((await sends.load(sendOf(late.job))).leaseUntilMs).toBe(0);
  });
});
