import { describe, expect, it } from "vitest";
import { deletableKinds, finishDeletion } from "../../../shared/domain/maintenance/deletions.ts";
import { finishDueDeletions } from "../../../shared/domain/maintenance/finish-due-deletions.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { deletedKinds, organizationId } from "../../support/deletions/deleted-kinds.ts";
import { deletionWorld } from "../../support/deletions/deletion-world.ts";

describe.each(deletableKinds)("the deletion of a %s", (kind) => {
  const { id, make, markDeleted, stillNamedBy, changed } = deletedKinds[kind];

  async function marked() {
    const world = deletionWorld();
    await make(world);
    world.takeRecords();
    expect(await markDeleted(world)).toBe(true);
    return { ...world, records: world.takeRecords() };
  }

  async function finished() {
    const world = await marked();
    expect(await world.project(world.records)).toBe(0);
    return world;
  }

  it("is finished off the stream: nothing of it is left, and what hung on it goes on without it", async () => {
    const world = await finished();
    const { rows, files, secrets } = world.state();
    const naming = rows.filter((row) => JSON.stringify(row).includes(id));
    expect([...new Set(naming.map((row) => row.kind))].sort()).toEqual(stillNamedBy);
    for (const [changedId, fields] of Object.entries(changed)) {
      const found = rows.find((row) => row.id === changedId);
      expect(found).toBeDefined();
      expect({ ...Object.fromEntries(Object.keys(fields).map((name) => [name, found?.[name]])) }).toEqual(
        fields,
      );
    }
    expect(files.filter((key) => key.includes(id))).toEqual([]);
    expect(secrets).toEqual([]);
    expect(world.logger.lines.filter(({ message }) => message === "deletion finished")).toMatchObject([
      { fields: { organization_id: organizationId, [`${kind}_id`]: id } },
    ]);
  });

  it("leaves everything else of its kind alone", async () => {
    const world = await finished();
    const { rows, files } = world.state();
    const before = deletionWorld();
    await make(before);
    const others = (some: typeof rows) =>
      some.filter((row) => row.kind === kind && row.id !== id).map((row) => row.id);
    expect(others(rows)).toEqual(others(before.state().rows));
    expect(files).toEqual(before.state().files.filter((key) => !key.includes(id)));
  });

  it("comes to the same end after a death before or after any of its calls", async () => {
    const end = (await finished()).state();
    const alive = await marked();
    const calls = await alive.countCalls(() => alive.project(alive.records));
    expect(calls).toBeGreaterThanOrEqual(3);
    for (let call = 1; call <= calls; call += 1) {
      for (const when of ["before", "after"] as const) {
        const world = await marked();
        world.dieAt(call, when);
        expect(await world.project(world.records), `death ${when} call ${call}`).toBeGreaterThan(0);
        world.live();
        expect(await world.project([])).toBe(0);
        await world.sweepSecrets();
        expect(world.state(), `death ${when} call ${call}`).toEqual(end);
      }
    }
  });

  it("done twice changes nothing more", async () => {
    const world = await finished();
    const end = world.state();
    expect(await world.project([...world.records, ...world.records])).toBe(0);
    expect(world.state()).toEqual(end);
  });

  it("is finished by the sweeper where the projector did not, two minutes after", async () => {
    const world = await marked();
    const end = (await finished()).state();
    world.clock.advance(120_000);
    expect(await finishDueDeletions(world)).toBe(0);
    world.clock.advance(1);
    expect(await finishDueDeletions(world)).toBe(1);
    expect(world.state().rows.map(({ pk, sk }) => [pk, sk])).toEqual(end.rows.map(({ pk, sk }) => [pk, sk]));
    expect(await finishDueDeletions(world)).toBe(0);
  });

  it("is nothing for one that is not marked, or is another organization's", async () => {
    const world = deletionWorld();
    await make(world);
    const before = world.state();
    expect(await finishDeletion(world, kind, organizationId, id)).toBe(false);
    await markDeleted(world);
    expect(await finishDeletion(world, kind, organizationIdOf("org_other"), id)).toBe(false);
    expect(world.state().files).toEqual(before.files);
    expect(world.state().secrets).toEqual(before.secrets);
  });
});

it("one that fails keeps no other from being finished by the sweeper", async () => {
  const world = deletionWorld();
  for (const { make, markDeleted } of Object.values(deletedKinds)) {
    await make(world);
    await markDeleted(world);
  }
  world.clock.advance(120_001);
  world.files.remove = async () => {
    throw new Error("the bucket is away");
  };
  await expect(finishDueDeletions(world)).rejects.toThrow("4 of 9");
  const left = world.state().rows.filter((row) => row.deleted_at !== undefined);
  expect([...new Set(left.map((row) => row.kind))].sort()).toEqual([
    "attachment",
    "run",
    "schedule",
    "trajectory",
  ]);
});
