import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { removeUnnamedObjects } from "../../../shared/domain/maintenance/unnamed/remove-unnamed-objects.ts";
import { removeUnnamedSecrets } from "../../../shared/domain/maintenance/unnamed/remove-unnamed-secrets.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { ownerOfObject } from "../../../shared/files/object-owner.ts";
import { ownerOfSecret } from "../../../shared/secrets/secret-owner.ts";
import { findTableId, ownTableId, rememberedTableId } from "../../../shared/storage/table/table-id.ts";
import { aMachine } from "../../support/builders/entities.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { createModelStores, storesOnModel } from "../../support/stores/model-stores.ts";
import { RecordingLogger } from "../../support/tunnel-world/recording-logger.ts";

const hourMs = 3_600_000;
const organizationId = organizationIdOf("org_1");

async function withLostTable({ secrets: secretCount = 40 } = {}) {
  const clock = new FakeClock();
  const { table: lost } = storesOnModel(clock);
  const { table, stores } = storesOnModel(clock);
  const { secrets, files, ids } = createModelStores({ clock });
  const logger = new RecordingLogger();
  const lostId = await ownTableId(lost, ids);
  Object.assign(secrets, { tableId: lostId });
  Object.assign(files, { tableId: lostId });
  for (let made = 0; made < secretCount; made += 1) {
    await secrets.create(secrets.secretName(organizationId, { kind: "machine", id: v7() }, v7()), { a: "1" });
    await files.put(files.attachmentKey(organizationId, v7(), v7()), new Uint8Array(1), "text/plain");
  }
  const deps = {
    ...stores,
    secrets,
    files,
    clock,
    logger,
    secretOwner: (name: string) => ownerOfSecret("test", name),
    objectOwner: ownerOfObject,
    ownTableId: () => ownTableId(table, ids),
  };
  const round = async () => {
    const swept = [await removeUnnamedSecrets(deps), await removeUnnamedObjects(deps)];
    await removeUnnamedObjects(deps);
    return swept;
  };
  return { ...deps, table, lostId, round };
}

describe("a table that was lost, and another in its place", () => {
  it("loses no secret and no object that was made for the first one", async () => {
    const { clock, secrets, files, round, table, lostId } = await withLostTable();
    for (let hour = 0; hour < 48; hour += 1) {
      clock.advance(hourMs + 1);
      await round();
    }
    expect(await findTableId(table)).not.toBe(lostId);
    expect([secrets.names().length, files.keys().length]).toEqual([40, 40]);
  });

  it("loses nothing that says nothing of its table", async () => {
    const { clock, secrets, files, round } = await withLostTable({ secrets: 0 });
    Object.assign(secrets, { tableId: undefined });
    Object.assign(files, { tableId: undefined });
    await secrets.create(secrets.secretName(organizationId, { kind: "pool", id: v7() }, v7()), { a: "1" });
    await files.put(files.attachmentKey(organizationId, v7(), v7()), new Uint8Array(1), "text/plain");
    clock.advance(25 * hourMs);
    await round();
    expect([secrets.names().length, files.keys().length]).toEqual([1, 1]);
  });
});

describe("a table that lost rows", () => {
  it("keeps what they named: the sweep stops where more than a tenth of a page is unnamed, and says so", async () => {
    const world = await withLostTable();
    const { clock, secrets, files, round, table, lostId, logger } = world;
    await table.put({ pk: "TABLE", sk: "#", kind: "table_id", id: lostId });
    clock.advance(25 * hourMs);
    const held = { removed: 0, heldBack: 40 };
    expect(await round()).toEqual([held, held]);
    // The state is reported also while the sweep rests, so that the alarm stays on.
    expect(await round()).toEqual([held, held]);
    expect(logger.lines.filter(({ level }) => level === "warn")).toHaveLength(2);
    clock.advance(hourMs + 1);
    expect(await round()).toEqual([held, held]);
    expect([secrets.names().length, files.keys().length]).toEqual([40, 40]);
  });

  it("goes on by itself once they are back", async () => {
    const { clock, secrets, round, table, lostId, machines } = await withLostTable();
    await table.put({ pk: "TABLE", sk: "#", kind: "table_id", id: lostId });
    clock.advance(25 * hourMs);
    await round();
    const [leftover, ...named] = secrets.names();
    for (const secretName of named) {
      const id = secretName.split("/")[4] ?? "";
      await machines.create(aMachine({ organizationId, id, secretName }));
    }
    clock.advance(hourMs + 1);
    expect((await round())[0]).toEqual({ removed: 1, heldBack: 0 });
    expect(secrets.names()).not.toContain(leftover);
    expect(secrets.names()).toHaveLength(39);
  });
});

describe("a table's id", () => {
  it("is made once, whoever is first, and is read once by an instance", async () => {
    const { table } = storesOnModel(new FakeClock());
    const { ids } = createModelStores();
    const remembered = rememberedTableId(table);
    expect(await remembered()).toBeUndefined();
    const [one, other] = await Promise.all([ownTableId(table, ids), ownTableId(table, ids)]);
    expect(one).toBe(other);
    expect(await remembered()).toBe(one);
    await table.delete({ pk: "TABLE", sk: "#" });
    expect(await remembered()).toBe(one);
  });
});
