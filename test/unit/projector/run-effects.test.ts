import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { finishMachineDeletion } from "../../../shared/domain/maintenance/finish-machine-deletion.ts";
import { finishPoolDeletion } from "../../../shared/domain/maintenance/finish-pool-deletion.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { aMachine, anOrganization, aPool, aRun } from "../../support/builders/entities.ts";
import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { aSession } from "../../support/ports/run-queue.suite.ts";

const deletedAt = "2026-01-15T12:00:00.000Z";

function setUp() {
  const stores = inMemoryStores();
  const organizationId = anOrganization();
  const putRun = (fields: Partial<Run>) => {
    const run = aRun({ organizationId, ...fields });
    stores.runs.write(run);
    return run;
  };
  const putSession = (fields: Partial<ReturnType<typeof aSession>>) => {
    const session = aSession({ organizationId, ...fields });
    stores.runs.writeSession(session);
    return session;
  };
  const find = async ({ id }: Pick<Run, "id">) => {
    const run = await stores.runs.find(organizationId, id);
    return { status: run?.status, error: run?.error };
  };
  const dismissal = { dismiss: async () => {} };
  return { ...stores, dismissal, organizationId, putRun, putSession, find };
}

describe("the deletion of a machine", () => {
  it("ends what it runs and what waits for it, with the reason, and nothing else", async () => {
    const world = setUp();
    const { organizationId, putRun, putSession, find, machines, sessions } = world;
    const id = v7();
    const session = putSession({ status: "active", machineId: id });
    const pending = putSession({ machineId: id });
    const [sessionId, pendingId] = [session.id, pending.id];
    const assigned = { machineId: id, status: "running", assignmentId: v7() } as const;
    const ended = [
      putRun({ sessionId, ...assigned }),
      putRun({ machineId: id }),
      putRun({ machineId: id, sessionId }),
      putRun({ machineId: id, sessionId: pendingId }),
    ];
    const others = [putRun({}), putRun({ machineId: v7() })];
    const currentRunId = ended[0]?.id ?? "";
    machines.write(aMachine({ organizationId, id, currentRunId, reservedSessionId: sessionId, deletedAt }));
    expect(await finishMachineDeletion(world, organizationId, id)).toBe(true);
    for (const run of ended) {
      expect(await find(run)).toEqual({ status: "error", error: ["its machine was deleted"] });
    }
    for (const run of others) expect(await find(run)).toEqual({ status: "scheduling", error: [] });
    for (const each of [session, pending]) {
      expect(await sessions.find(organizationId, each.id)).toMatchObject({ status: "ended" });
    }
    expect(await finishMachineDeletion(world, organizationId, id)).toBe(false);
  });
});

describe("the deletion of a pool", () => {
  it("ends what waits for its machines, with the reason, and nothing else", async () => {
    const world = setUp();
    const { organizationId, putRun, putSession, find, pools, sessions } = world;
    const pool = aPool({ organizationId, deletedAt });
    pools.write(pool);
    const pending = putSession({ poolIds: [pool.id] });
    const poolIds = [v7(), pool.id];
    const ended = [
      putRun({ poolIds }),
      putRun({ poolIds: [pool.id] }),
      putRun({ poolIds: [pool.id], sessionId: pending.id }),
    ];
    const running = putRun({ poolIds, machineId: v7(), status: "running", assignmentId: v7() });
    const other = putRun({ poolIds: [v7()] });
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
