import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { endSession, endWaiting } from "../../../shared/domain/run/waiting/end-waiting.ts";
import { isRunEntry } from "../../../shared/domain/run/waiting/queue-entry.ts";
import { aRun, aSession, timestampOf } from "../builders/entities.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";
import { newRuns } from "./run-store.suite.ts";

const end = { status: "cancelled", reason: "because", endedAt: "2026-01-15T13:00:00.000Z" } as const;
const endClock = { now: () => Date.parse(end.endedAt) };
const any = { kind: "any" } as const;

export function waitingStoreSuite(create: CreateTableStores): void {
  const setUp = async () => {
    const stores = create();
    const { organizationId, id: workflowId } = await stores.put.workflow();
    const queue = async (count: number, fields = {}, rest = {}) => {
      const runs = Array.from({ length: count }, (_, index) => {
        const id = v7();
        const queuedAt = new Date(Date.parse(timestampOf(id)) + index).toISOString();
        return aRun({ organizationId, workflowId, id, queuedAt, ...fields });
      });
      for (let first = 0; first < count; first += 40) {
        const part = newRuns(runs.slice(first, first + 40), first === 0 ? rest : {});
        expect(await stores.runs.create(part)).toEqual({ kind: "created" });
      }
      return runs;
    };
    const statusesOf = async (ids: readonly string[]) => {
      const found = await Promise.all(ids.map((id) => stores.runs.find(organizationId, id)));
      return [...new Set(found.map((run) => run?.status))];
    };
    return { ...stores, clock: { ...endClock, sleep: async () => {} }, organizationId, queue, statusesOf };
  };

  describe("a queue", () => {
    it("is read from its oldest run on, page by page", async () => {
      const { waiting, queue, organizationId } = await setUp();
      const runs = await queue(5);
      const first = await waiting.oldest(organizationId, any, 3);
      const second = await waiting.oldest(organizationId, any, 3, first.at(-1));
      const ids = [...first, ...second].filter(isRunEntry).map((entry) => entry.waiting.runId);
      expect(ids).toEqual(runs.map(({ id }) => id));
      expect(await waiting.oldest(organizationIdOf("org_other"), any, 3)).toEqual([]);
    });

    it("loses the runs that are ended, and these tell why", async () => {
      const { waiting, runs, queue, organizationId } = await setUp();
      const [one, two, three] = await queue(3);
      const entries = (await waiting.oldest(organizationId, any, 2)).filter(isRunEntry);
      await waiting.endRuns(entries, end);
      for (const run of [one, two]) {
        expect(await runs.find(organizationId, run?.id ?? "")).toEqual({
          ...run,
          status: "cancelled",
          error: ["because"],
          endedAt: end.endedAt,
          revision: 2,
        });
      }
      expect(await waiting.oldest(organizationId, any, 5)).toHaveLength(1);
      expect(await runs.find(organizationId, three?.id ?? "")).toEqual(three);
      const cancelled = await runs.list(organizationId, { status: "cancelled" }, { skip: 0, limit: 5 });
      expect(cancelled.total).toBe(2);
    });

    it("leaves the secrets of the runs that are ended to be removed", async () => {
      const { waiting, runs, queue, organizationId } = await setUp();
      const secretId = v7();
      const [run] = await queue(1, { secretId });
      await waiting.endRuns((await waiting.oldest(organizationId, any, 5)).filter(isRunEntry), end);
      const due = (await runs.listSecretsDue(1_000)).filter((each) => each.secretId === secretId);
      expect(due.map(({ id }) => id)).toEqual([run?.id]);
      await runs.releaseSecret(organizationId, run?.id ?? "", secretId);
      expect(await runs.readSecret({ organizationId, secretId })).toBeUndefined();
    });

    it("loses no run that moved on since it was read, and all the others", async () => {
      const { waiting, runs, queue, statusesOf, organizationId } = await setUp();
      const [gone, again, other] = await queue(3);
      const entries = (await waiting.oldest(organizationId, any, 5)).filter(isRunEntry);
      await runs.update(organizationId, gone?.id ?? "", { status: "error" });
      await runs.update(organizationId, again?.id ?? "", { status: "cancelled" });
      const before = await runs.find(organizationId, again?.id ?? "");
      if (before === undefined) throw new Error("it is there");
      const queuedAt = new Date(Date.parse(before.queuedAt) + 60_000).toISOString();
      const run = { ...before, status: "scheduling", queuedAt, endedAt: null, revision: 3 } as const;
      await runs.restart({ before, run, attachments: [] });
      await waiting.endRuns(entries, end);
      expect(await statusesOf([gone?.id ?? ""])).toEqual(["error"]);
      expect(await statusesOf([again?.id ?? ""])).toEqual(["scheduling"]);
      expect(await statusesOf([other?.id ?? ""])).toEqual(["cancelled"]);
      expect(await waiting.oldest(organizationId, any, 5)).toHaveLength(1);
    });

    it("is emptied however many wait, but for those that came later", async () => {
      const stores = await setUp();
      const { queue, statusesOf, organizationId, waiting } = stores;
      const runs = await queue(120);
      const untilMs = Date.parse(runs[109]?.queuedAt ?? "");
      await endWaiting(stores, organizationId, any, { status: "error", reason: "gone", untilMs });
      const ids = runs.map(({ id }) => id);
      expect(await statusesOf(ids.slice(0, 110))).toEqual(["error"]);
      expect(await statusesOf(ids.slice(110))).toEqual(["scheduling"]);
      expect(await waiting.oldest(organizationId, any, 100)).toHaveLength(10);
    });

    it("is emptied behind priority runs that came later", async () => {
      const stores = await setUp();
      const { queue, statusesOf, organizationId } = stores;
      const old = await queue(1);
      const later = await queue(60, { isPriority: true });
      const untilMs = Date.parse(old[0]?.queuedAt ?? "");
      await endWaiting(stores, organizationId, any, { status: "error", reason: "gone", untilMs });
      expect(await statusesOf(old.map(({ id }) => id))).toEqual(["error"]);
      expect(
        await statusesOf(later.filter(({ queuedAt }) => Date.parse(queuedAt) > untilMs).map(({ id }) => id)),
      ).toEqual(["scheduling"]);
    });

    it("knows the sets of pools that name a pool", async () => {
      const { queue, waiting, organizationId, put } = await setUp();
      const [one, other] = [v7(), v7()];
      for (const id of [one, other]) await put.pool({ organizationId, id });
      await queue(1, { poolIds: [one, other] });
      await queue(1, { poolIds: [other] });
      expect(await waiting.poolSetsWith(organizationId, one)).toEqual([[one, other].sort()]);
      expect(await waiting.poolSetsWith(organizationId, other)).toHaveLength(2);
      expect(await waiting.poolSetsWith(organizationId, v7())).toEqual([]);
    });
  });

  describe("a session", () => {
    it("ends once, unless it was used since it was seen idle", async () => {
      const { sessions, organizationId, put } = await setUp();
      const session = await put.session({ organizationId, status: "active" });
      expect(await sessions.find(organizationIdOf("org_other"), session.id)).toBeUndefined();
      expect(await sessions.end(organizationId, session.id, end.endedAt, "2026-01-15T09:00:00.000Z")).toEqual(
        session,
      );
      const due = await sessions.listOpenDue(1_000);
      expect(due.map(({ id }) => id)).toContain(session.id);
      for (let time = 0; time < 2; time += 1) {
        const ended = await sessions.end(organizationId, session.id, end.endedAt, session.usedAt);
        expect(ended).toEqual({ ...session, status: "ended" });
      }
      expect((await sessions.listOpenDue(1_000)).map(({ id }) => id)).not.toContain(session.id);
      expect(await sessions.end(organizationId, v7(), end.endedAt)).toBeUndefined();
    });

    it("that ends takes with it what waits in it, and its own place", async () => {
      const stores = await setUp();
      const { queue, statusesOf, organizationId, waiting, sessions } = stores;
      const session = aSession({ organizationId });
      const runs = await queue(60, { sessionId: session.id }, { session });
      expect(await waiting.oldest(organizationId, any, 5)).toHaveLength(1);
      for (let time = 0; time < 2; time += 1) await endSession(stores, organizationId, session.id, end);
      expect(await statusesOf(runs.map(({ id }) => id))).toEqual(["cancelled"]);
      expect(await waiting.oldest(organizationId, any, 5)).toEqual([]);
      expect(await sessions.find(organizationId, session.id)).toMatchObject({ status: "ended" });
    });

    it("that waits for a target ends when what waits there is ended", async () => {
      const stores = await setUp();
      const { queue, statusesOf, organizationId, sessions } = stores;
      const session = aSession({ organizationId });
      const runs = await queue(2, { sessionId: session.id }, { session });
      await endWaiting(stores, organizationId, any, end);
      expect(await statusesOf(runs.map(({ id }) => id))).toEqual(["cancelled"]);
      expect(await sessions.find(organizationId, session.id)).toMatchObject({ status: "ended" });
    });

    it("goes on when a chain in it is ended, with the runs of others", async () => {
      const stores = await setUp();
      const { queue, statusesOf, organizationId, sessions } = stores;
      const session = aSession({ organizationId });
      const chainId = v7();
      const steps = await queue(3, { sessionId: session.id, chainId }, { session });
      const others = await queue(2, { sessionId: session.id });
      const target = { kind: "session", sessionId: session.id } as const;
      await endWaiting(stores, organizationId, target, { ...end, chainId });
      expect(await statusesOf(steps.map(({ id }) => id))).toEqual(["cancelled"]);
      expect(await statusesOf(others.map(({ id }) => id))).toEqual(["scheduling"]);
      expect(await sessions.find(organizationId, session.id)).toMatchObject({ status: "pending" });
    });
  });
}
