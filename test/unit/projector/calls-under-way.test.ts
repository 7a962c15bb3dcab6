import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createProjector } from "../../../functions/projector/app.ts";
import { readSlotChange } from "../../../shared/storage/stream/stream-calls.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { anOrganization, aSlotCall } from "../../support/builders/entities.ts";
import { readsNothing } from "../../support/projector-reads.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

async function setUp() {
  const world = tunnelWorld();
  const project = createProjector<TableStreamRecord>({
    ...world,
    ...readsNothing,
    readSlotChange,
  });
  const machine = await world.put.machine({ organizationId: anOrganization() });
  const { organizationId } = machine;
  world.model.takeRecords();
  const begin = async (connectionId: string = randomUUID()) => {
    const slot = await world.slots.take(aSlotCall({ organizationId, connectionId }));
    if (slot === undefined) throw new Error("there was no slot");
    return slot;
  };
  type Slot = Awaited<ReturnType<typeof begin>>;
  const end = (slot: Slot) => world.slots.giveBack(slot, { outcome: 200, durationMs: 30, bytes: 2 });
  const projected = async (records: readonly TableStreamRecord[] = world.model.takeRecords()) => {
    expect(await project({ Records: records })).toEqual({ batchItemFailures: [] });
    return records;
  };
  const count = async () => (await world.machines.findWithCalls(organizationId, machine.id))?.callsUnderWay;
  return { ...world, organizationId, begin, end, projected, count };
}

describe("the count of calls under way", () => {
  it("follows what slots are taken and given back", async () => {
    const { begin, end, projected, count } = await setUp();
    const slots = [await begin(), await begin(), await begin()];
    await projected();
    expect(await count()).toBe(3);
    await Promise.all(slots.map(end));
    const again = await begin();
    await projected();
    expect(await count()).toBe(1);
    await end(again);
    await projected();
    expect(await count()).toBe(0);
  });

  it("is the same when batches come again, or come in parts", async () => {
    const { begin, end, projected, count } = await setUp();
    const [one, other] = [await begin(), await begin()];
    const first = await projected();
    await end(one);
    const second = await projected();
    expect(await count()).toBe(1);
    await projected(second);
    await projected([...first, ...second]);
    for (const record of [...first, ...second]) await projected([record]);
    expect(await count()).toBe(1);
    await end(other);
    await projected();
    expect(await count()).toBe(0);
  });

  it("costs no write for calls that are over when the stream brings them", async () => {
    const { begin, end, projected, count, model } = await setUp();
    for (let call = 0; call < 20; call += 1) await end(await begin());
    await projected();
    expect(model.takeRecords()).toEqual([]);
    expect(await count()).toBe(0);
  });

  it("is one write for all of an organization's calls in a batch", async () => {
    const { begin, projected, model, count } = await setUp();
    for (let call = 0; call < 40; call += 1) await begin();
    await projected();
    expect(model.takeRecords()).toHaveLength(1);
    expect(await count()).toBe(40);
  });

  it("loses a caller that died when another takes over its slot", async () => {
    const { begin, projected, count, clock } = await setUp();
    const connectionId = randomUUID();
    for (let call = 0; call < 4; call += 1) await begin(connectionId);
    await projected();
    clock.advance(30_001);
    expect(await count()).toBe(0);
    const { number } = await begin(connectionId);
    expect(number).toBeLessThan(4);
    await projected();
    expect(await count()).toBe(1);
  });

  it("never holds up what else a batch brings", async () => {
    const world = await setUp();
    world.callsUnderWay.note = () => Promise.reject(new Error("the table is away"));
    await world.begin();
    await world.projected();
    expect(world.logger.lines.at(-1)).toMatchObject({ message: "calls under way were not counted" });
  });
});
