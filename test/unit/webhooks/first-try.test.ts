import { describe, expect, it } from "vitest";
import { createWebhookSender } from "../../../functions/webhook-sender/app.ts";
import { beginAttempt } from "../../../shared/domain/webhook/delivery/begin-attempt.ts";
import { deliveryPayload } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { queueDelivery } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { readStartedAttempt } from "../../../shared/webhooks/read-delivery-job.ts";
import { aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { KillSwitch } from "../../support/execution/kill-switch.ts";
import { killableWebhooks, webhookBody, webhooksWorld } from "../../support/execution/webhooks-world.ts";

async function setUp() {
  const world = webhooksWorld();
  const endpoint = aWebhookEndpoint();
  await world.add(endpoint);
  const delivery = await world.put(endpoint);
  await world.queue(delivery);
  const [first] = world.takeStarted();
  if (first?.startId === undefined) throw new Error("an invocation was started");
  const { organizationId, id } = delivery;
  const found = async () => await world.deliveries.find(organizationId, id);
  return { ...world, endpoint, delivery, first, startId: first.startId, found };
}

describe("the first try of a delivery", () => {
  it("is made once, however often and by however many it is started", async () => {
    const { deps, first, queue, delivery, takeStarted, webhookSender, found, deliveryExecutions } =
      await setUp();
    // The stream tells the event again while the first invocation is under way.
    await queue(delivery);
    const again = takeStarted();
    const starts = [first, ...again, first].map(({ startId }) => startId ?? "");
    expect(new Set(starts).size).toBe(2);
    await Promise.all(
      [...new Set(starts)].map(async (startId) => await beginAttempt(deps, first.job, startId)),
    );
    for (const startId of starts) await beginAttempt(deps, first.job, startId);
    expect(webhookSender.sent).toHaveLength(1);
    expect(await found()).toMatchObject({ status: "delivered", attempts: [{ statusCode: 204 }] });
    expect(deliveryExecutions.started).toEqual([]);
  });

  it("is gone on with by an execution where the service failed, not the endpoint", async () => {
    const { carryOut, takeStarted, first, secrets, endpoint, found, webhookSender, mintSigningSecret } =
      await setUp();
    await secrets.remove(endpoint.secretName);
    await carryOut(first);
    const [execution] = takeStarted();
    expect([execution?.job, execution?.startId]).toEqual([first.job, undefined]);
    await secrets.create(endpoint.secretName, { secret: mintSigningSecret() });
    if (execution !== undefined) await carryOut(execution);
    expect(webhookSender.sent).toHaveLength(1);
    expect(await found()).toMatchObject({ status: "delivered" });
  });

  it("fails where its execution cannot be started, so that Lambda repeats it, and is not sent again", async () => {
    const { deps, first, startId, carryOutAll, webhookSender, deliveryExecutions, found } = await setUp();
    webhookSender.outcome = { statusCode: 500 };
    deliveryExecutions.isAway = true;
    await expect(beginAttempt(deps, first.job, startId)).rejects.toThrow("Lambda is away");
    deliveryExecutions.isAway = false;
    await beginAttempt(deps, first.job, startId);
    expect(webhookSender.sent).toHaveLength(1);
    webhookSender.outcome = {};
    await carryOutAll();
    expect(webhookSender.sent).toHaveLength(2);
    expect(await found()).toMatchObject({ status: "delivered" });
  });

  it("is what a function's event names", async () => {
    const { deps, first, startId, webhookSender } = await setUp();
    const handler = createWebhookSender({ ...deps, readStartedAttempt });
    await handler({ ...deliveryPayload(first.job), start_id: startId });
    expect(webhookSender.sent).toHaveLength(1);
    await expect(handler(deliveryPayload(first.job))).rejects.toThrow("start_id");
  });
});

describe("an event", () => {
  it("is sent once to each endpoint, though who queues it dies before or after any call and begins anew", async () => {
    const counted = new KillSwitch();
    await queued(counted);
    expect(counted.points).toHaveLength(20);
    for (const { number, when } of counted.points) await queued(KillSwitch.at({ number, when }));
  });
});

async function queued(kills: KillSwitch): Promise<void> {
  const { add, deps, invoke, watched, carryOutAll, webhookSender, deliveryExecutions } =
    killableWebhooks(kills);
  const { organizationId } = aWebhookEndpoint();
  const endpoints = Array.from({ length: 3 }, () => aWebhookEndpoint({ organizationId }));
  for (const endpoint of endpoints) await add(endpoint);
  const event = {
    id: deps.ids.uuid7(),
    organizationId,
    type: "run.complete",
    occurredAt: new Date(deps.clock.now()).toISOString(),
    body: webhookBody,
  } as const;
  await watched(() => invoke(() => queueDelivery(deps, event, endpoints), kills));
  await carryOutAll();
  expect(webhookSender.sent.map(({ id }) => id)).toEqual(endpoints.map(() => event.id));
  expect(deliveryExecutions.started).toEqual([]);
}
