import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { removeUnnamedObjects } from "../../../shared/domain/maintenance/unnamed/remove-unnamed-objects.ts";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { spill } from "../../../shared/domain/spill.ts";
import { ownerOfObject } from "../../../shared/files/object-owner.ts";
import { anAttachment, aRun } from "../../support/builders/entities.ts";
import { aTrajectory } from "../../support/builders/trajectories.ts";
import { aPromptImage } from "../../support/builders/workflows.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { RecordingLogger } from "../../support/tunnel-world/recording-logger.ts";

const hourMs = 3_600_000;
const large = { text: "x".repeat(9_000) };

function setUp() {
  const stores = createModelStores();
  const deps = { ...stores, objectOwner: ownerOfObject, logger: new RecordingLogger() };
  const sweep = async () => (await removeUnnamedObjects(deps)).removed;
  const round = async () => [await sweep(), await sweep()].reduce((sum, count) => sum + count, 0);
  const spillOf = (
    kind: string,
    { organizationId, id }: { organizationId: OrganizationId; id: string },
    field: string,
  ) => spill(stores, { organizationId, kind, id, field, objectId: v7() }, large);
  return { ...stores, sweep, round, spillOf };
}

/** A run with two objects, a trajectory with one, a file, and beside each an object that it does not name. */
async function withObjects() {
  const world = setUp();
  const { organizationId, ...run } = aRun();
  const owned = { organizationId, ...run };
  const trajectory = aTrajectory({ organizationId });
  const attachment = anAttachment({ organizationId, runId: run.id });
  const unnamed = [
    await world.spillOf("run", owned, "output_data"),
    await world.spillOf("run", { organizationId, id: v7() }, "output_data"),
    await world.spillOf("trajectory", trajectory, "trajectory_data"),
  ].map((spilled) => (spilled.kind === "object" ? spilled.key : ""));
  unnamed.push(world.files.attachmentKey(organizationId, run.id, v7()));
  unnamed.push(world.files.attachmentKey(organizationId, v7(), attachment.id));
  for (const key of unnamed.slice(-2)) await world.files.put(key, new Uint8Array(3), "text/plain");
  const before = new Set(world.files.keys());
  const stored = await world.put.run({
    ...owned,
    outputData: await world.spillOf("run", owned, "output_data"),
    runMessageHistory: await world.spillOf("run", owned, "run_message_history"),
  });
  await world.put.trajectory({
    ...trajectory,
    data: await world.spillOf("trajectory", trajectory, "trajectory_data"),
  });
  await world.attachments.create(attachment);
  const file = world.files.attachmentKey(organizationId, run.id, attachment.id);
  await world.files.put(file, new Uint8Array(3), "text/plain");
  const named = world.files.keys().filter((key) => !before.has(key));
  expect([named.length, unnamed.length]).toEqual([4, 5]);
  return { ...world, run: stored, trajectory, attachment, named, unnamed };
}

describe("an object that no row names", () => {
  it("is removed after 24 hours, and one that is named never", async () => {
    const { clock, files, round, named } = await withObjects();
    clock.advance(24 * hourMs);
    expect(await round()).toBe(0);
    clock.advance(hourMs);
    expect(await round()).toBe(5);
    expect(files.keys()).toEqual(named);
    clock.advance(hourMs);
    expect(await round()).toBe(0);
  });

  it("is none of an entity whose deletion is not finished: that is its own deletion's", async () => {
    const { clock, files, round, runs, trajectories, attachments, ...world } = await withObjects();
    const { organizationId, id } = world.run;
    const moment = new Date(clock.now()).toISOString();
    await runs.markDeleted(organizationId, id, moment);
    await trajectories.markDeleted(organizationId, world.trajectory.id, moment);
    await attachments.markDeleted(organizationId, world.attachment.id, moment);
    clock.advance(25 * hourMs);
    await round();
    expect(files.keys()).toEqual(world.named);
  });

  it("is removed with all others once the entity is gone altogether", async () => {
    const { clock, files, round, runs, run } = await withObjects();
    await runs.markDeleted(run.organizationId, run.id, new Date(clock.now()).toISOString());
    await runs.remove(run.organizationId, run.id);
    clock.advance(25 * hourMs);
    await round();
    expect(files.keys().filter((key) => key.startsWith("spill/") && key.includes("/run/"))).toEqual([]);
  });

  it("is a prompt image's as well, but for the one that its row names", async () => {
    const { clock, files, round, promptImages } = setUp();
    const { id, organizationId } = aPromptImage();
    const [named, other] = [v7(), v7()].map((objectId) =>
      files.spillKey(organizationId, "prompt_image", id, "content", objectId),
    );
    for (const key of [named, other]) await files.put(key ?? "", new Uint8Array(1), "image/png");
    await promptImages.create(aPromptImage({ id, organizationId, key: named ?? "" }));
    clock.advance(25 * hourMs);
    expect(await round()).toBe(1);
    expect(files.keys()).toEqual([named]);
  });

  it("is left alone when its owner cannot be told, and under what passes through", async () => {
    const { clock, files, round } = setUp();
    const keys = [
      "spill/org/something/1/field-2",
      `spill/..${"a".repeat(64)}/run/${v7()}/output_data-${v7()}`,
      "attachments/org/run",
      files.tunnelKey(organizationIdOf("org"), "1"),
      files.uploadKey(organizationIdOf("org"), "1"),
    ];
    for (const key of keys) await files.put(key, new Uint8Array(1), "text/plain");
    clock.advance(48 * hourMs);
    expect(await round()).toBe(0);
    expect(files.keys()).toEqual(keys);
  });
});

describe("the sweep of objects", () => {
  it("goes on where the run before it stopped, also in another instance, and rests for an hour", async () => {
    const { clock, files, sweep } = setUp();
    const asked: string[] = [];
    files.list = async (prefix, after) => {
      asked.push(`${prefix} ${after}`);
      return { objects: [], ...(after === "attachments/" && { nextAfter: "attachments/m" }) };
    };
    for (let run = 0; run < 5; run += 1) await sweep();
    expect(asked).toEqual(["attachments/ attachments/", "attachments/ attachments/m", "spill/ spill/"]);
    clock.advance(hourMs);
    await sweep();
    expect(asked.slice(3)).toEqual(["attachments/ attachments/"]);
  });

  it("goes past an object that cannot be removed, says so, and comes to it in the next round", async () => {
    const { clock, files, round, sweep, unnamed } = await withObjects();
    const remove = files.remove.bind(files);
    files.remove = async (key) => {
      if (key === unnamed[0]) throw new Error("S3 is away");
      await remove(key);
    };
    clock.advance(25 * hourMs);
    await sweep();
    await expect(sweep()).rejects.toThrow("1 of");
    expect(unnamed.filter((key) => files.keys().includes(key))).toEqual([unnamed[0]]);
    files.remove = remove;
    clock.advance(hourMs);
    expect(await round()).toBe(1);
  });

  it("keeps the place of another run that was faster", async () => {
    const { sweepCursors, files, sweep } = setUp();
    const at = { position: "spill/x", notBeforeMs: 0, heldBack: 0 };
    const faster = { listing: "objects", ...at, revision: 1 } as const;
    files.list = async () => {
      await sweepCursors.replace(faster, undefined);
      return { objects: [] };
    };
    await sweep();
    expect(await sweepCursors.find("objects")).toEqual(faster);
  });
});

describe("the owner of an object", () => {
  it.each(["org_1", "Münchner Straße", "a/b", "..", "🙂"].map(organizationIdOf))(
    "is read back for %j",
    (organizationId) => {
      const { files } = createModelStores();
      const id = v7();
      for (const kind of ["run", "trajectory"] as const) {
        const key = files.spillKey(organizationId, kind, id, "output_data", v7());
        expect(ownerOfObject(key)).toEqual({ organizationId, kind, id });
      }
      const owner = { organizationId, kind: "attachment", id };
      expect(ownerOfObject(files.attachmentKey(organizationId, v7(), id))).toEqual(owner);
    },
  );

  it.each([
    ...["", "spill/org/run", "spill//run/1/output_data-2", "attachments//1/2", "uploads/org/1"],
    ...["spill/o.4frg/run/1/output_data-2", "attachments/org/1/2/3", "spill/org/run/1/output_data"],
  ])("is nobody for %j", (key) => {
    expect(ownerOfObject(key)).toBeUndefined();
  });
});
