import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { TrajectoryFilter } from "../../../shared/domain/trajectory/trajectory-store.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { anIdempotency } from "../builders/entities.ts";
import { aTrajectory } from "../builders/trajectories.ts";
import { aWorkflow } from "../builders/workflows.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const searchRowsMax = 5;

const page = { skip: 0, limit: 10 };
const later = "2030-01-01T00:00:00.000Z";
const spilled = {
  kind: "object",
  key: "spill/o/trajectory/t/trajectory_data-1",
  bytes: 9_000,
  head: "[{",
} as const;

export function trajectoryStoreSuite(create: CreateTableStores): void {
  const setUp = async () => {
    const stores = create({ searchRowsMax });
    const workflow = aWorkflow();
    await stores.workflows.create(workflow);
    const { organizationId: organization } = workflow;
    const trajectory = aTrajectory({ organizationId: organization, workflowId: workflow.id });
    const list = async (filter: TrajectoryFilter, some = page) => {
      const { items, total } = await stores.trajectories.list(organization, filter, some, {
        withData: false,
      });
      return [items.map(({ id }) => id), total] as const;
    };
    return { ...stores, workflow, organization, trajectory, list };
  };

  const setUpFour = async () => {
    const world = await setUp();
    const other: Workflow = aWorkflow({ organizationId: world.organization });
    await world.workflows.create(other);
    const ids: string[] = [];
    for (const [index, workflowId] of [world.workflow.id, world.workflow.id, other.id, other.id].entries()) {
      const made = aTrajectory({
        organizationId: world.organization,
        workflowId,
        isApproved: index % 2 === 1,
        name: `Name ${index}`,
        description: index === 3 ? "The Last" : "",
        createdAt: `2026-01-0${index + 1}T00:00:00.000Z`,
      });
      await world.trajectories.create(made);
      ids.push(made.id);
    }
    const [first = "", second = "", third = "", fourth = ""] = ids;
    return { ...world, other, first, second, third, fourth };
  };

  describe("a trajectory store", () => {
    it("finds a trajectory as it was created", async () => {
      const { trajectories, trajectory, organization } = await setUp();
      const whole = {
        ...trajectory,
        name: "n",
        description: "d",
        dimensions: { width: 1280, height: 800 },
        isApproved: true,
        hasBeenApproved: true,
        verifiedAt: later,
        isGenerated: true,
        runId: v7(),
        originalInputValues: { a: [1, null, { b: "c" }], e: 1e300 },
        data: spilled,
        screens: { ...spilled, key: "spill/o/trajectory/t/screens-1" },
      };
      expect(await trajectories.create(whole)).toEqual({ kind: "created" });
      expect(await trajectories.find(organization, whole.id)).toEqual(whole);
      const bare = { ...trajectory, id: v7() };
      await trajectories.create(bare);
      expect(await trajectories.find(organization, bare.id)).toEqual(bare);
    });

    it("makes none of a workflow that is not there, is another organization's, or is deleted", async () => {
      const { trajectories, workflows, workflow, trajectory, organization, list } = await setUp();
      const elsewhere = aWorkflow();
      await workflows.create(elsewhere);
      for (const workflowId of [v7(), elsewhere.id]) {
        const outcome = await trajectories.create({ ...trajectory, workflowId });
        expect(outcome).toEqual({ kind: "workflow_not_found" });
      }
      await workflows.markDeleted(organization, workflow.id, later);
      expect(await trajectories.create(trajectory)).toEqual({ kind: "workflow_not_found" });
      expect(await list({})).toEqual([[], 0]);
    });

    it("changes the fields given and leaves the others", async () => {
      const { trajectories, trajectory, organization } = await setUp();
      const made = { ...trajectory, dimensions: { width: 1, height: 2 }, originalInputValues: { a: 1 } };
      await trajectories.create(made);
      const renamed = { name: "new", updatedAt: later };
      expect(await trajectories.update(organization, made.id, renamed)).toEqual({
        ...made,
        ...renamed,
        revision: 2,
      });
      const all = {
        description: "d",
        isApproved: true,
        dimensions: null,
        originalInputValues: null,
        data: spilled,
        updatedAt: later,
      };
      const changed = await trajectories.update(organization, made.id, all);
      expect(changed).toEqual({ ...made, ...renamed, ...all, revision: 3 });
      expect(await trajectories.find(organization, made.id)).toEqual(changed);
      expect(await trajectories.update(organization, v7(), renamed)).toBeUndefined();
    });

    it("loses no change of those made at once to different fields", async () => {
      const { trajectories, trajectory, organization } = await setUp();
      await trajectories.create(trajectory);
      const changes = [
        { name: "n" },
        { description: "d" },
        { isApproved: true },
        { dimensions: { width: 1, height: 1 } },
        { originalInputValues: { a: 1 } },
        { data: spilled },
      ];
      await Promise.all(
        changes.map((change, index) =>
          trajectories.update(
            organization,
            trajectory.id,
            { ...change, updatedAt: later },
            index % 2 === 0 ? undefined : anIdempotency(organization),
          ),
        ),
      );
      const expected = Object.assign({}, trajectory, ...changes, { updatedAt: later, revision: 7 });
      expect(await trajectories.find(organization, trajectory.id)).toEqual(expected);
    });

    it("changes one only as it was read", async () => {
      const { trajectories, trajectory, organization } = await setUp();
      await trajectories.create(trajectory);
      const change = { verifiedAt: later, updatedAt: later };
      const outcomes = await Promise.all([
        trajectories.updateAsRead(trajectory, change),
        trajectories.updateAsRead(trajectory, { name: "n", updatedAt: later }, anIdempotency(organization)),
      ]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["changed", "updated"]);
      const read = await trajectories.find(organization, trajectory.id);
      if (read === undefined) throw new Error("it is there");
      const updated = await trajectories.updateAsRead(read, change);
      expect(updated).toEqual({ kind: "updated", trajectory: { ...read, ...change, revision: 3 } });
      await trajectories.markDeleted(organization, trajectory.id, later);
      expect(await trajectories.updateAsRead({ ...read, revision: 3 }, change)).toEqual({ kind: "changed" });
    });

    it("has one main trajectory of a workflow, which ends with it or with the workflow", async () => {
      const { trajectories, workflows, trajectory, organization, workflow } = await setUp();
      const [one, two] = [trajectory, { ...trajectory, id: v7() }].map((each) => ({
        ...each,
        isApproved: true,
      }));
      if (one === undefined || two === undefined) throw new Error("there are two");
      const main = async () => (await trajectories.findMain(organization, workflow.id))?.id;
      const make = async (id: string, isMain: boolean) => {
        const read = await trajectories.find(organization, id);
        if (read === undefined) throw new Error("it is there");
        return (await trajectories.updateAsRead(read, { isMain, updatedAt: later })).kind;
      };
      for (const each of [one, two]) await trajectories.create(each);
      expect(await main()).toBeUndefined();
      expect(await make(one.id, true)).toBe("updated");
      expect(await make(one.id, true)).toBe("updated");
      expect(await main()).toBe(one.id);
      expect(await make(two.id, true)).toBe("updated");
      expect(await main()).toBe(two.id);
      expect(await trajectories.find(organization, one.id)).toMatchObject({ isMain: false, revision: 4 });
      await trajectories.markDeleted(organization, two.id, later);
      expect(await main()).toBeUndefined();
      expect(await make(one.id, true)).toBe("updated");
      await trajectories.remove(organization, two.id);
      expect(await main()).toBe(one.id);
      await trajectories.markDeleted(organization, one.id, later);
      await trajectories.remove(organization, one.id);
      expect(await main()).toBeUndefined();
      const last = { ...one, id: v7() };
      await trajectories.create(last);
      expect(await make(last.id, true)).toBe("updated");
      await workflows.markDeleted(organization, workflow.id, later);
      await workflows.remove(organization, workflow.id);
      expect(await main()).toBeUndefined();
      expect(await make(last.id, false)).toBe("updated");
      expect(await make(last.id, true)).toBe("workflow_not_found");
    });
  });

  describe("a trajectory store's lists", () => {
    it("are newest first, page by page, with the exact total", async () => {
      const { list, first, second, third, fourth } = await setUpFour();
      expect(await list({})).toEqual([[fourth, third, second, first], 4]);
      expect(await list({}, { skip: 1, limit: 2 })).toEqual([[third, second], 4]);
      expect(await list({}, { skip: 4, limit: 2 })).toEqual([[], 4]);
    });

    it("are narrowed by workflow, by approval, by both, and by a range of moments", async () => {
      const { list, workflow, other, first, second, third, fourth } = await setUpFour();
      expect(await list({ workflowId: workflow.id })).toEqual([[second, first], 2]);
      expect(await list({ isApproved: true })).toEqual([[fourth, second], 2]);
      expect(await list({ isApproved: false }, { skip: 0, limit: 1 })).toEqual([[third], 2]);
      expect(await list({ workflowId: other.id, isApproved: false })).toEqual([[third], 1]);
      const [createdAtFrom, createdAtTo] = ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"];
      expect(await list({ createdAtFrom, createdAtTo })).toEqual([[third, second], 2]);
      expect(await list({ createdAtFrom, isApproved: true })).toEqual([[fourth, second], 2]);
      expect(await list({ createdAtTo, workflowId: other.id })).toEqual([[third], 1]);
    });

    it("are narrowed by the run that they were made of, and by a range of changes", async () => {
      const { list, trajectories, organization, workflow, first, second } = await setUpFour();
      const runId = v7();
      const made = aTrajectory({
        organizationId: organization,
        workflowId: workflow.id,
        runId,
        isApproved: true,
        createdAt: "2025-12-01T00:00:00.000Z",
      });
      await trajectories.create(made);
      expect(await list({ runId })).toEqual([[made.id], 1]);
      expect(await list({ runId, isApproved: false })).toEqual([[], 0]);
      const updatedAt = "2026-02-01T00:00:00.000Z";
      const found = await trajectories.find(organization, first);
      if (found === undefined) throw new Error("it was created");
      await trajectories.updateAsRead(found, { name: "Changed", updatedAt });
      expect(await list({ updatedAtFrom: updatedAt })).toEqual([[first], 1]);
      expect(await list({ updatedAtTo: "2026-01-02T00:00:00.000Z" })).toEqual([[second, made.id], 2]);
      const updatedAtFrom = "2026-01-04T00:00:00.000Z";
      expect(await list({ updatedAtFrom, workflowId: workflow.id })).toEqual([[first], 1]);
    });

    it("are searched by id, name and description, whatever the case", async () => {
      const { list, first, second, third, fourth, workflow } = await setUpFour();
      expect(await list({ search: "name" })).toEqual([[fourth, third, second, first], 4]);
      expect(await list({ search: "THE LAST" })).toEqual([[fourth], 1]);
      expect(await list({ search: second.toUpperCase() })).toEqual([[second], 1]);
      expect(await list({ search: "name", isApproved: true, workflowId: workflow.id })).toEqual([
        [second],
        1,
      ]);
      expect(await list({ search: "nothing" })).toEqual([[], 0]);
    });

    it("refuse a search that would read too many rows", async () => {
      const { trajectories, trajectory, workflow, list } = await setUp();
      const ids = Array.from({ length: searchRowsMax + 1 }, () => v7());
      for (const id of ids.slice(1)) await trajectories.create({ ...trajectory, id });
      expect((await list({ search: "-" }))[1]).toBe(searchRowsMax);
      await trajectories.create({ ...trajectory, id: ids[0] ?? "" });
      await expect(list({ search: "-" })).rejects.toMatchObject({ code: "search_too_broad" });
      const both = list({ isApproved: false, workflowId: workflow.id });
      await expect(both).rejects.toMatchObject({ code: "search_too_broad" });
      expect((await list({ isApproved: false }))[1]).toBe(searchRowsMax + 1);
    });

    it("have the data only where it is asked for", async () => {
      const { trajectories, trajectory, organization } = await setUp();
      await trajectories.create(trajectory);
      const read = async (withData: boolean, filter: TrajectoryFilter = {}) =>
        (await trajectories.list(organization, filter, page, { withData })).items;
      expect(await read(true)).toEqual([trajectory]);
      expect(await read(true, { search: trajectory.id })).toEqual([trajectory]);
      expect(await read(false)).toEqual([{ ...trajectory, data: null }]);
      const screens = { kind: "inline", value: { expect: [], checks: [] } } as const;
      await trajectories.update(organization, trajectory.id, { screens, updatedAt: later });
      const whole = { withData: false, withScreens: true };
      expect((await trajectories.list(organization, {}, page, whole)).items).toMatchObject([
        { data: null, screens },
      ]);
      expect(await read(true)).toMatchObject([{ data: trajectory.data, screens: null }]);
    });

    it("tell the newest trajectory of a workflow", async () => {
      const { trajectories, organization, workflow, other, first, second, fourth } = await setUpFour();
      const latest = async (id: string) => (await trajectories.findLatest(organization, id))?.id;
      expect(await latest(other.id)).toBe(fourth);
      expect(await latest(workflow.id)).toBe(second);
      expect(await trajectories.findLatest(organization, workflow.id)).toMatchObject({
        data: { kind: "inline" },
      });
      await trajectories.markDeleted(organization, second, later);
      expect(await latest(workflow.id)).toBe(first);
      expect(await latest(v7())).toBeUndefined();
      expect(await trajectories.findLatest(organizationIdOf("org_other"), workflow.id)).toBeUndefined();
    });
  });
}
