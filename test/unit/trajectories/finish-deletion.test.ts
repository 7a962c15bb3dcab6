import { describe, expect, it } from "vitest";
import {
  finishDueTrajectoryDeletions,
  finishTrajectoryDeletion,
} from "../../../shared/domain/maintenance/finish-trajectory-deletion.ts";
import { heavy, light, trajectoriesWorld } from "./trajectories-world.ts";

async function deleted(data: readonly unknown[]) {
  const world = await trajectoriesWorld();
  const kept = await world.make({ trajectory_data: heavy });
  const { id } = await world.make({ trajectory_data: data });
  await world.ask("DELETE", `/${id}`);
  const { stores, organizationId } = world;
  const finish = () => finishTrajectoryDeletion(stores, organizationId, id);
  const left = () => ({
    row: stores.trajectories.findDeleted(organizationId, id),
    objects: stores.files.keys().filter((key) => !key.includes(kept.id)),
    isKeptWhole: stores.files.keys().some((key) => key.includes(kept.id)),
  });
  return { ...world, id, kept, finish, left };
}

describe("the deletion of a trajectory", () => {
  it.each([
    ["light", light],
    ["heavy", heavy],
  ])("is finished: %s data and the row gone, nobody else's", async (_name, data) => {
    const { finish, left } = await deleted(data);
    expect(await finish()).toBe(true);
    expect(await left().row).toBeUndefined();
    expect(left()).toMatchObject({ objects: [], isKeptWhole: true });
    expect(await finish()).toBe(false);
  });

  it("leaves a trajectory alone that is not deleted", async () => {
    const { stores, organizationId, kept, ask } = await deleted(light);
    expect(await finishTrajectoryDeletion(stores, organizationId, kept.id)).toBe(false);
    expect((await ask("GET", `/${kept.id}`)).json).toEqual(kept);
  });

  it("is finished by whoever comes next, wherever it was interrupted", async () => {
    const { stores, finish, left } = await deleted(heavy);
    const removeObject = stores.files.remove;
    stores.files.remove = () => Promise.reject(new Error("interrupted"));
    await expect(finish()).rejects.toThrow("interrupted");
    expect(left().objects).toHaveLength(1);
    Object.assign(stores.files, { remove: removeObject });
    const removeRow = stores.trajectories.remove;
    stores.trajectories.remove = () => Promise.reject(new Error("interrupted"));
    await expect(finish()).rejects.toThrow("interrupted");
    expect(await left().row).toBeDefined();
    Object.assign(stores.trajectories, { remove: removeRow });
    expect(await finish()).toBe(true);
    expect(await left().row).toBeUndefined();
    expect(left().objects).toEqual([]);
  });

  it("is finished by the sweeper, two minutes after", async () => {
    const { stores, left } = await deleted(heavy);
    stores.clock.advance(120_000);
    expect(await finishDueTrajectoryDeletions(stores)).toBe(0);
    stores.clock.advance(1);
    expect(await finishDueTrajectoryDeletions(stores)).toBe(1);
    expect(await left().row).toBeUndefined();
    expect(left().objects).toEqual([]);
  });
});
