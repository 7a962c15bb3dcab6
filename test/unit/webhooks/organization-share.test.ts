import { describe, expect, it } from "vitest";
import { placeMs } from "../../../shared/domain/webhook/delivery/sends.ts";
import { startDueDeliveries } from "../../../shared/domain/webhook/delivery/start-due-deliveries.ts";
import { organizationSendsMax } from "../../../shared/vocabulary/events.ts";
import { aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { KillSwitch } from "../../support/execution/kill-switch.ts";
import { killableWebhooks, type Started, webhooksWorld } from "../../support/execution/webhooks-world.ts";

async function setUp(endpoints: number, options = {}) {
  const world = webhooksWorld(options);
  const first = aWebhookEndpoint();
  const { organizationId } = first;
  const all = [first, ...Array.from({ length: endpoints - 1 }, () => aWebhookEndpoint({ organizationId }))];
  for (const endpoint of all) await world.add(endpoint);
  const sent = () => world.webhookSender.sent.map(({ id }) => id).sort();
  return { ...world, endpoints: all, sent };
}

describe("an organization's webhooks", () => {
  it.each([organizationSendsMax, 2])(
    "are %i in flight at most, each started once and by the end of another; others' start at once",
    async (inFlightMax) => {
      const world = await setUp(10, { organizationSendsMax: inFlightMax });
      const { put, queue, takeStarted, carryOut, endpoints, sent, add } = world;
      const events: string[] = [];
      for (let run = 0; run < 12; run += 1) {
        for (const endpoint of endpoints) {
          const delivery = await put(endpoint);
          events.push(delivery.eventId);
          await queue(delivery);
        }
      }
      const inFlight: Started[] = [...takeStarted()];
      expect(inFlight).toHaveLength(inFlightMax);
      const other = aWebhookEndpoint();
      await add(other);
      const own = await put(other);
      await queue(own);
      const [alone, ...more] = takeStarted();
      expect([alone?.job.deliveryId, more]).toEqual([own.id, []]);
      if (alone !== undefined) await carryOut(alone);
      for (let each = inFlight.shift(); each !== undefined; each = inFlight.shift()) {
        await carryOut(each);
        inFlight.push(...takeStarted());
        expect(inFlight.length).toBeLessThanOrEqual(inFlightMax);
      }
      expect(sent()).toEqual([...events, own.eventId].sort());
    },
  );

  it("are started once each where many end at the same time", async () => {
    const { put, queue, takeStarted, carryOut, endpoints, sent, deliveryStarter } = await setUp(1);
    const [endpoint] = endpoints;
    if (endpoint === undefined) throw new Error("there is one");
    const events: string[] = [];
    for (let number = 0; number < 30; number += 1) {
      const delivery = await put(endpoint);
      events.push(delivery.eventId);
      await queue(delivery);
    }
    for (let some = takeStarted(); some.length > 0; some = takeStarted()) {
      await Promise.all(some.map(async (each) => await carryOut(each)));
    }
    expect(sent()).toEqual([...events].sort());
    expect(deliveryStarter.started).toHaveLength(events.length);
  });

  it.each([
    ["takes each at once", 204],
    ["refuses the first of them once", 500],
  ])(
    "are each sent, by the schedule at the latest, whichever call the process dies before or after, if the endpoint %s",
    async (_how, firstStatus) => {
      const counted = new KillSwitch();
      await bulk(counted, firstStatus);
      for (const { number, when } of counted.points) await bulk(KillSwitch.at({ number, when }), firstStatus);
    },
  );
});

/** Queues seven deliveries of one endpoint, of which one's process dies, and is carried out once more after a minute. */
async function bulk(kills: KillSwitch, firstStatus: number): Promise<void> {
  const world = killableWebhooks(kills);
  const { add, put, queue, takeStarted, carryOut, carryOutAll, webhookSender, clock, deps, watched } = world;
  const endpoint = aWebhookEndpoint();
  await add(endpoint);
  const deliveries = await Promise.all(Array.from({ length: 7 }, async () => await put(endpoint)));
  for (const delivery of deliveries) await queue(delivery);
  const [first, ...others] = takeStarted();
  if (first === undefined) throw new Error("five were started");
  const waiting: Started[] = [...others];
  webhookSender.outcome = { statusCode: firstStatus };
  await watched(async () => {
    await carryOut(first, kills);
    webhookSender.outcome = {};
    const next = takeStarted();
    // A killed execution goes on at once; whatever else was started is not this process.
    for (const each of next.filter(({ startId }) => startId === undefined)) await carryOut(each, kills);
    waiting.push(...next.filter(({ startId }) => startId !== undefined));
  });
  for (const each of waiting) await carryOut(each);
  await carryOutAll();
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(placeMs);
    await startDueDeliveries(deps);
    await carryOutAll();
  }
  for (const { organizationId, id } of deliveries) {
    expect((await deps.deliveries.find(organizationId, id))?.status).toBe("delivered");
  }
  const sent = webhookSender.sent.map(({ id }) => id);
  expect([...new Set(sent)].sort()).toEqual(deliveries.map(({ eventId }) => eventId).sort());
  const refused = firstStatus === 204 ? 0 : 1;
  expect(
    sent.length - deliveries.length - refused,
    "only what was interrupted is sent again",
  ).toBeLessThanOrEqual(kills.points.some(({ name }) => name === "the endpoint") ? 1 : 0);
  clock.advance(placeMs);
  const last = await put(endpoint);
  await queue(last);
  const [started] = takeStarted();
  expect(started?.job.deliveryId).toBe(last.id);
  expect(await deps.sends.listDue(10)).toEqual([]);
}
