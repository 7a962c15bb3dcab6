import { describe, expect, it } from "vitest";
import type { DeliveryJob } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { placeMs } from "../../../shared/domain/webhook/delivery/sends.ts";
import { startDueDeliveries } from "../../../shared/domain/webhook/delivery/start-due-deliveries.ts";
import { organizationSendsMax } from "../../../shared/vocabulary/events.ts";
import { aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { KillSwitch } from "../../support/execution/kill-switch.ts";
import { webhooksWorld } from "../../support/execution/webhooks-world.ts";

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
      const inFlight: DeliveryJob[] = [...takeStarted()];
      expect(inFlight).toHaveLength(inFlightMax);
      const other = aWebhookEndpoint();
      await add(other);
      const own = await put(other);
      await queue(own);
      const [alone, ...more] = takeStarted();
      expect([alone?.deliveryId, more]).toEqual([own.id, []]);
      if (alone !== undefined) await carryOut(alone);
      for (let job = inFlight.shift(); job !== undefined; job = inFlight.shift()) {
        await carryOut(job);
        inFlight.push(...takeStarted());
        expect(inFlight.length).toBeLessThanOrEqual(inFlightMax);
      }
      expect(sent()).toEqual([...events, own.eventId].sort());
    },
  );

  it("are each sent, by the schedule at the latest, whichever call the process dies before or after", async () => {
    const counted = new KillSwitch();
    await bulk(counted);
    for (const { number, when } of counted.points) await bulk(KillSwitch.at({ number, when }));
  });
});

/** Queues seven deliveries of one endpoint, of which one's process dies, and is carried out once more after a minute. */
async function bulk(kills: KillSwitch): Promise<void> {
  const model = new DynamoModel();
  let isWatched = false;
  const client = {
    send: async (command: never) =>
      isWatched
        ? await kills.call("DynamoDB", () => model.client.send(command))
        : await model.client.send(command),
  };
  const world = await setUp(1, { model, client });
  const { put, queue, takeStarted, carryOut, carryOutAll, endpoints, sent, clock, deps, deliveryStarter } =
    world;
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error("there is one");
  const start = deliveryStarter.start.bind(deliveryStarter);
  deliveryStarter.start = async (name, payload) =>
    isWatched ? await kills.call("Lambda", () => start(name, payload)) : await start(name, payload);
  const events: string[] = [];
  const put7 = Array.from({ length: 7 }, async () => await put(endpoint));
  for (const delivery of await Promise.all(put7)) {
    events.push(delivery.eventId);
    await queue(delivery);
  }
  const [first, ...others] = takeStarted();
  if (first === undefined) throw new Error("five were started");
  isWatched = true;
  await carryOut(first, kills);
  isWatched = false;
  for (const job of others) await carryOut(job);
  await carryOutAll();
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(placeMs);
    await startDueDeliveries(deps);
    await carryOutAll();
  }
  expect([...new Set(sent())]).toEqual([...events].sort());
  clock.advance(placeMs);
  const last = await put(endpoint);
  await queue(last);
  const [started] = takeStarted();
  expect(started?.deliveryId).toBe(last.id);
  expect(await deps.sends.listDue(10)).toEqual([]);
}
