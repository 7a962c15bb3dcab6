import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { matchChanges } from "../../../shared/domain/matching/match-changes.ts";
import type { Candidate } from "../../../shared/domain/matching/match-store.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { instead, type MatchWorld, matchWorld } from "./match-world.ts";
import type { CountedTable } from "./matching.suite.ts";

export function matchRacesSuite(table: () => CountedTable): void {
  const begin = async () => {
    const clock = new FakeClock();
    return await matchWorld(table().at(clock), clock).begin();
  };

  const stateOf = async (world: MatchWorld, run: Run) => {
    const { status, machineId } = await world.run(run.id);
    return [status, machineId];
  };

  describe("matchers at the same time", () => {
    it.each([
      ["whose inputs refer to it", { inputValues: { total: { $ref: "a.outputs.sum" } } }],
      ["that can never begin", {}],
    ])("leave a step %s alone while one before it has begun", async (_, step) => {
      const world = await begin();
      const strict = await world.putWorkflow({ inputSchema: { required: ["name"] } });
      const [machine, session] = [await world.putMachine(), await world.putSession()];
      const chainId = randomUUID();
      const first = await world.queueRun({ chainId, sessionAlias: "a" }, session);
      const fields = { chainId, chainRunIds: { a: first.id }, workflowId: strict.id, ...step };
      const second = await world.queueRun(fields, session);
      const deps = {
        ...world.deps,
        // Another matcher is faster, once this one has read both steps.
        matches: instead(world.matches, "sessionQueue", async (sessionQueue) => {
          const read = await sessionQueue();
          await world.match(world.changed(machine));
          return read;
        }),
      };
      await matchChanges(deps, [world.queued(second)], world.clock.now() + 60_000);
      expect(await stateOf(world, first)).toEqual(["running", machine.id]);
      expect(await stateOf(world, second)).toEqual(["scheduling", null]);
    });

    it("begin no step before one that is passed over", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      const session = await world.putSession();
      const broken = await world.putWorkflow({ inputSchema: { type: "string" } });
      const steps = [
        await world.queueRun({ chainId: "c", workflowId: broken.id }, session),
        await world.queueRun({ chainId: "c" }, session),
      ];
      const deps = {
        ...world.deps,
        checker: {
          check: async () => {
            throw new Error("a bug");
          },
        },
      };
      await matchChanges(deps, [world.changed(machine)], world.clock.now() + 60_000);
      for (const step of steps) expect(await stateOf(world, step)).toEqual(["scheduling", null]);
    });

    it("judge a run by what its machine had when the run was queued", async () => {
      const world = await begin();
      const strict = await world.putWorkflow({ inputSchema: { required: ["name"] } });
      const machine = await world.putMachine();
      const runs: Run[] = [];
      const deps = {
        ...world.deps,
        matches: instead(world.matches, "machineQueue", async (machineQueue) => {
          const read = await machineQueue();
          if (runs.length === 0) {
            await world.putMachine({ ...machine, parameters: { name: "Miller" }, revision: 2 });
            runs.push(await world.queueRun({ workflowId: strict.id }));
          }
          return read;
        }),
      };
      await matchChanges(deps, [world.changed(machine)], world.clock.now() + 60_000);
      expect(await world.run(runs[0]?.id ?? "")).toMatchObject({
        status: "running",
        inputValues: { name: "Miller" },
      });
    });

    it("keep a place that was put again after its run was read beside the queue", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      const run = await world.queueRun();
      let isBefore = true;
      const deps = {
        ...world.deps,
        matches: instead(world.matches, "candidate", async (candidate) => {
          const read = (await candidate()) as Candidate;
          const elsewhere = { status: "running", startedAt: run.createdAt } as const;
          const wasRead = isBefore ? { ...read, run: { ...read.run, ...elsewhere } } : read;
          isBefore = false;
          return wasRead;
        }),
      };
      world.clock.advance(1_000);
      await matchChanges(deps, [world.queued(run)], world.clock.now() + 60_000);
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
    });

    it("end no run by a machine that changes meanwhile", async () => {
      const world = await begin();
      const strict = await world.putWorkflow({ inputSchema: { required: ["name"] } });
      const machine = await world.putMachine();
      const run = await world.queueRun({ workflowId: strict.id });
      let isFirst = true;
      const deps = {
        ...world.deps,
        matches: instead(world.matches, "candidate", async (candidate) => {
          const read = await candidate();
          if (isFirst) await world.putMachine({ ...machine, parameters: { name: "Miller" }, revision: 2 });
          isFirst = false;
          return read;
        }),
      };
      await matchChanges(deps, [world.changed(machine)], world.clock.now() + 60_000);
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
    });
  });
}
