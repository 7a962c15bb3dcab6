import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { finishPoolDeletion } from "../../../shared/domain/maintenance/finish-pool-deletion.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

const deletedAt = "2026-01-15T12:00:00.000Z";

function setUp() {
  const stores = createModelStores();
  const organizationId = anOrganization();
  const putRun = (fields: Partial<Run>) => stores.put.run({ organizationId, ...fields });
  const putSession = (fields: Partial<Session>) => stores.put.session({ organizationId, ...fields });
  const find = async ({ id }: Pick<Run, "id">) => {
    const run = await stores.runs.find(organizationId, id);
    return { status: run?.status, error: run?.error };
  };
  const dismissal = { dismiss: async () => {} };
  return { ...stores, dismissal, organizationId, putRun, putSession, find };
}

describe("the deletion of a pool", () => {
  it("ends what waits for its machines, with the reason, and nothing else", async () => {
    const world = setUp();
    const { organizationId, putRun, putSession, find, pools, sessions } = world;
    const pool = await world.put.pool({ organizationId });
    const pending = await putSession({ poolIds: [pool.id] });
    const poolIds = [v7(), pool.id];
    const ended = [
      await putRun({ poolIds }),
      await putRun({ poolIds: [pool.id] }),
      await putRun({ poolIds: [pool.id], sessionId: pending.id }),
    ];
    const running = await putRun({ poolIds, machineId: v7(), status: "running", assignmentId: v7() });
    const other = await putRun({ poolIds: [v7()] });
    await pools.markDeleted(organizationId, pool.id, deletedAt);
    expect(await finishPoolDeletion(world, organizationId, pool.id)).toBe(true);
    for (const run of ended) {
      expect(await find(run)).toEqual({ status: "error", error: ["a pool that it waited for was deleted"] });
    }
    expect(await find(running)).toMatchObject({ status: "running" });
    expect(await find(other)).toMatchObject({ status: "scheduling" });
    expect(await sessions.find(organizationId, pending.id)).toMatchObject({ status: "ended" });
    expect(await finishPoolDeletion(world, organizationId, pool.id)).toBe(false);
  });
});
