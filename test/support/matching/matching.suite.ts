import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import { ChangedTooOften } from "../../../shared/domain/errors.ts";
import { jobPayload } from "../../../shared/domain/execution/engine/start-execution.ts";
import { matchChanges } from "../../../shared/domain/matching/match-changes.ts";
import type { Assignment } from "../../../shared/domain/matching/match-store.ts";
import type { MatchTrigger } from "../../../shared/domain/matching/match-trigger.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { noOverrides, type RunOverrides } from "../../../shared/domain/run/run-overrides.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import type { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import {
  machineKey,
  providerCredentialKey,
  sessionKey,
  stoppedChainKey,
  workflowKey,
} from "../../../shared/storage/table/keys.ts";
import type { CoveredProvider } from "../../../shared/vocabulary/providers.ts";
import { aModelConfiguration } from "../builders/workflows.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { instead, type MatchWorld, matchWorld } from "./match-world.ts";

export interface CountedTable {
  at(clock: FakeClock): DynamoTable;
  /** Takes the names of the calls since the last call. */
  take(): readonly string[];
}

export interface ManyOptions {
  /** A number of entities, large enough to show that the number of calls does not depend on it. */
  readonly many: number;
}

export function matchingSuite(table: () => CountedTable, { many }: ManyOptions): void {
  const begin = async () => {
    const clock = new FakeClock();
    return await matchWorld(table().at(clock), clock).begin();
  };

  const stateOf = async (world: MatchWorld, run: Run) => {
    const { status, machineId } = await world.run(run.id);
    return [status, machineId];
  };

  const endSession = async (world: MatchWorld, { id: sessionId }: Session): Promise<MatchTrigger> => {
    const { organizationId } = world;
    const key = sessionKey(organizationId, sessionId);
    await world.write({ kind: "update", key, change: { set: { status: "ended" } } });
    return { kind: "session_ended", organizationId, sessionId };
  };

  describe("a run that is queued", () => {
    it("is given an idle machine at once", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      const run = await world.queueRun();
      await world.match(world.queued(run));
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
      expect((await world.machine(machine)).currentRunId).toBe(run.id);
      expect(await world.idle()).toEqual([]);
    });

    it.each(["service", "worker"] as const)(
      "is begun with the machine when it is the service's, not a worker's: %s",
      async (executor) => {
        const world = await begin();
        await world.match(world.changed(await world.putMachine()));
        const run = await world.queueRun({ executor });
        await world.match(world.queued(run));
        const { organizationId, id: runId, assignmentId } = await world.run(run.id);
        const job = { organizationId, runId, assignmentId: assignmentId ?? "", part: 1 };
        expect(world.durable.started.map(({ name, payload }) => ({ name, payload }))).toEqual(
          executor === "service" ? [{ name: assignmentId, payload: jobPayload(job) }] : [],
        );
      },
    );

    it("has its machine even where it cannot be begun yet", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      world.durable.isAway = true;
      const run = await world.queueRun({ executor: "service" });
      await world.match(world.queued(run));
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
      expect(world.log.text()).toContain("an execution could not be started");
    });

    it("waits for the machine that it names, and takes no other", async () => {
      const world = await begin();
      const [named, other] = [await world.putMachine({ connection: null }), await world.putMachine()];
      await world.match(world.changed(other));
      const run = await world.queueRun({ machineId: named.id });
      await world.match(world.queued(run));
      expect((await world.run(run.id)).status).toBe("scheduling");
      await world.putMachine({ ...named, connection: other.connection, revision: 2 });
      await world.match(world.changed(named));
      expect(await stateOf(world, run)).toEqual(["running", named.id]);
    });

    it("finds the one idle machine that is in all of its pools", async () => {
      const world = await begin();
      const [a, b] = [await world.putPool(), await world.putPool()];
      const machines = [
        await world.putMachine({ poolIds: [a.id] }),
        await world.putMachine({ poolIds: [b.id, a.id] }),
        await world.putMachine(),
      ];
      await world.match(...machines.map(world.changed));
      const run = await world.queueRun({ poolIds: [a.id, b.id] });
      await world.match(world.queued(run));
      expect(await stateOf(world, run)).toEqual(["running", machines[1]?.id]);
      expect(await world.idle()).toHaveLength(2);
    });

    it("passes over machines that are idle no longer, and has them noted as that", async () => {
      const world = await begin();
      const machines = [await world.putMachine(), await world.putMachine(), await world.putMachine()];
      await world.match(...machines.map(world.changed));
      const sorted = [...machines].sort((left, right) => (left.id < right.id ? -1 : 1));
      const last = sorted.at(-1);
      for (const machine of sorted.slice(0, -1)) {
        await world.putMachine({ ...machine, isAvailable: false, revision: 2 });
      }
      const run = await world.queueRun();
      await world.match(world.queued(run));
      expect(await stateOf(world, run)).toEqual(["running", last?.id]);
      // The next run passes over the rows that this one did not reach.
      await world.match(world.queued(await world.queueRun()));
      expect(await world.idle()).toEqual([]);
    });

    it("is placed together with all others of its batch, each with a machine of its own", async () => {
      const world = await begin();
      const machines = await Promise.all(Array.from({ length: 20 }, () => world.putMachine()));
      await world.match(...machines.map(world.changed));
      const runs: Run[] = [];
      for (let count = 0; count < 30; count += 1) runs.push(await world.queueRun());
      await world.match(...runs.map(world.queued));
      const states = await Promise.all(runs.map((run) => stateOf(world, run)));
      const running = states.filter(([status]) => status === "running").map(([, machineId]) => machineId);
      expect(running).toHaveLength(20);
      expect(new Set(running).size).toBe(20);
      expect(states.slice(20).every(([status]) => status === "scheduling")).toBe(true);
      expect(await world.idle()).toEqual([]);
    });
  });

  describe("a machine", () => {
    it("takes the oldest run of all that it can serve", async () => {
      const world = await begin();
      const pool = await world.putPool();
      const machine = await world.putMachine({ poolIds: [pool.id], connection: null });
      const runs = [
        await world.queueRun({ poolIds: [pool.id] }),
        await world.queueRun(),
        await world.queueRun({ machineId: machine.id }),
        await world.queueRun({ poolIds: [pool.id, randomUUID()] }),
      ];
      await world.match(...runs.map(world.queued));
      const connected = { ...machine, connection: { id: randomUUID(), websocketId: "w", host: "h" } };
      const order: (string | undefined)[] = [];
      for (let turn = 1; turn <= 4; turn += 1) {
        await world.putMachine({ ...connected, revision: 10 * turn });
        await world.match(world.changed(machine));
        const { currentRunId } = await world.machine(machine);
        order.push(runs.find(({ id }) => id === currentRunId)?.id);
      }
      expect(order).toEqual([runs[0]?.id, runs[1]?.id, runs[2]?.id, undefined]);
      expect(await world.idle()).toMatchObject([{ machineId: machine.id, poolIds: [pool.id] }]);
    });

    it("takes runs with priority before older ones, whichever of its queues they are in", async () => {
      const world = await begin();
      const pool = await world.putPool();
      const machine = await world.putMachine({ poolIds: [pool.id] });
      const targets = [{ machineId: machine.id }, {}, { poolIds: [pool.id] }];
      const queue = async (isPriority: boolean) => {
        const ids: string[] = [];
        for (const target of targets) ids.push((await world.queueRun({ ...target, isPriority })).id);
        return ids;
      };
      const [last, first] = [await queue(false), await queue(true)];
      world.clock.advance(1);
      const session = await world.putSession({ isPriority: true });
      const inSession = await world.queueRun({ isPriority: true, releaseSessionAfter: true }, session);
      const began: (string | null)[] = [];
      for (const _ of [...first, inSession, ...last]) {
        await world.match(world.changed(machine));
        const { currentRunId } = await world.machine(machine);
        began.push(currentRunId);
        await world.finish(currentRunId ?? "");
      }
      expect(began).toEqual([...first, inSession.id, ...last]);
    });

    it("is noted as idle only while it is", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      await world.match(world.changed(machine));
      expect(await world.idle()).toMatchObject([{ machineId: machine.id }]);
      await world.putMachine({ ...machine, connection: null, revision: 2 });
      await world.match(world.changed(machine));
      expect(await world.idle()).toEqual([]);
      await world.match({ ...world.changed({ id: randomUUID() }) });
    });

    it("goes past runs that cannot begin, however many they are", async () => {
      const world = await begin();
      const gone = await world.putWorkflow({ deletedAt: null });
      await world.write({
        kind: "update",
        key: workflowKey(world.organizationId, gone.id),
        change: { set: { deleted_at: isoTimestamp(world.clock.now()) } },
      });
      const cancelled: Run[] = [];
      for (let count = 0; count < 30; count += 1) {
        cancelled.push(await world.queueRun({ workflowId: gone.id }));
      }
      const run = await world.queueRun();
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
      for (const { id } of cancelled) {
        const { status, error } = await world.run(id);
        expect([status, error]).toEqual(["cancelled", ["the workflow was deleted before the run began"]]);
      }
    });

    it("forgets sets of pools that nothing waits for", async () => {
      const world = await begin();
      const pool = await world.putPool();
      const machine = await world.putMachine({ poolIds: [pool.id] });
      const run = await world.queueRun({ poolIds: [pool.id] });
      await world.match(world.queued(run), world.changed(machine));
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
      const sets = async () => await world.matches.poolSets(world.organizationId);
      expect(await sets()).toHaveLength(1);
      await world.putMachine({ ...machine, revision: 9 });
      await world.match(world.changed(machine));
      expect(await sets()).toEqual([]);
    });
  });

  describe("inputs", () => {
    it("are the run's own, else the machine's, else the pools', frozen as the run begins", async () => {
      const world = await begin();
      const pool = await world.putPool({
        parameters: { city: "Bern", color: "red" },
        sensitiveAliases: ["pin"],
      });
      const machine = await world.putMachine({
        poolIds: [pool.id],
        parameters: { color: "blue", size: 1 },
        sensitiveAliases: ["token"],
      });
      const run = await world.queueRun({ poolIds: [pool.id], inputValues: { size: 2 } });
      await world.match(world.changed(machine));
      expect(await world.run(run.id)).toMatchObject({
        inputValues: { size: 2, color: "blue", city: "Bern" },
        inheritedSecrets: { token: { kind: "machine", id: machine.id }, pin: { kind: "pool", id: pool.id } },
      });
    });

    it("that break the workflow's schema end the run as error, and the next one is taken", async () => {
      const world = await begin();
      const strict = await world.putWorkflow({
        inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      });
      const wrong = await world.queueRun({ workflowId: strict.id, inputValues: { n: "one" } });
      const right = await world.queueRun({ workflowId: strict.id, inputValues: { n: 1 } });
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      expect(await world.run(wrong.id)).toMatchObject({ status: "error", machineId: null });
      expect((await world.run(wrong.id)).error.join()).toContain("input_values.n");
      expect(await stateOf(world, right)).toEqual(["running", machine.id]);
    });

    it("are not asked for where the organization's own key is missing: the run ends as error", async () => {
      const world = await begin();
      const { id: workflowId } = await world.putWorkflow({
        modelMetadata: { provider: "google_vertex", model: "m" },
      });
      const at = isoTimestamp(world.clock.now());
      const key = providerCredentialKey(world.organizationId, "google");
      const item = { ...key, kind: "provider_credential", organization_id: world.organizationId };
      const row = { ...item, slot: "google", status: "missing", created_at: at, updated_at: at, revision: 1 };
      const own = await world.queueRun({ workflowId });
      const machine = await world.putMachine();
      await world.write({ kind: "put", item: row });
      await world.match(world.changed(machine));
      expect(await world.run(own.id)).toMatchObject({
        status: "error",
        error: [expect.stringContaining("the provider slot google")],
      });
      await world.write({ kind: "put", item: { ...row, status: "active" } });
      const later = await world.queueRun({ workflowId });
      await world.match(world.queued(later));
      expect(await stateOf(world, later)).toEqual(["running", machine.id]);
    });
  });

  describe("a run's model configurations", () => {
    async function setUp() {
      const world = await begin();
      const { organizationId, modelConfigurations } = world;
      const of = async (provider: CoveredProvider) => {
        const configuration = aModelConfiguration({ organizationId, provider });
        await modelConfigurations.create(configuration);
        return configuration.id;
      };
      const [ofGoogle, ofOpenai] = [await of("google_vertex"), await of("openai")];
      const at = isoTimestamp(world.clock.now());
      const setSlot = (slot: "google" | "openai", status: string) => {
        const key = providerCredentialKey(organizationId, slot);
        const row = { ...key, kind: "provider_credential", organization_id: organizationId, slot, status };
        return world.write({
          kind: "put",
          item: { ...row, created_at: at, updated_at: at, revision: 1 },
        });
      };
      const machine = await world.putMachine();
      const ended = async (fields: Partial<Run>, ofWorkflow: Partial<Workflow>) => {
        const { id: workflowId } = await world.putWorkflow(ofWorkflow);
        const { id } = await world.queueRun({ ...fields, workflowId });
        await world.match(world.changed(machine));
        const { status, errorCode } = await world.run(id);
        if (status === "running") await world.finish(id);
        return errorCode ?? status;
      };
      return { world, modelConfigurations, organizationId, setSlot, ofGoogle, ofOpenai, ended };
    }

    it("say which slots it needs: one of them must have a key", async () => {
      const { setSlot, ofGoogle, ofOpenai, ended } = await setUp();
      const ofBoth = { modelConfigurationId: ofGoogle, fallbackModelConfigurationIds: [ofOpenai] };
      await setSlot("google", "missing");
      expect(await ended({}, { modelConfigurationId: ofGoogle })).toBe("provider_key_missing");
      expect(await ended({}, ofBoth)).toBe("running");
      await setSlot("openai", "invalid");
      expect(await ended({}, ofBoth)).toBe("provider_key_missing");
      expect(await ended({}, { modelConfigurationId: ofOpenai })).toBe("provider_key_invalid");
      await setSlot("google", "active");
      expect(await ended({}, ofBoth)).toBe("running");
    });

    it("are the run's own where it names one", async () => {
      const { setSlot, ofGoogle, ofOpenai, ended } = await setUp();
      await setSlot("google", "missing");
      const own = (fields: Partial<RunOverrides>) => ({ overrides: { ...noOverrides, ...fields } });
      const ofWorkflow = { modelConfigurationId: ofGoogle };
      expect(await ended(own({ modelConfigurationId: ofOpenai }), ofWorkflow)).toBe("running");
      const modelMetadata = { provider: "google", model: "m" } as const;
      const metadata = await ended(own({ modelMetadata }), { modelConfigurationId: ofOpenai });
      expect(metadata).toBe("provider_key_missing");
    });

    it("are not asked for by a run that never goes by a model", async () => {
      const { setSlot, ofGoogle, ended } = await setUp();
      await setSlot("google", "missing");
      const only = { modelConfigurationId: ofGoogle, replay: "only" } as const;
      expect(await ended({ executor: "service" }, only)).toBe("running");
    });

    it("end it where its own is gone since", async () => {
      const { modelConfigurations, organizationId, ofOpenai, ended } = await setUp();
      await modelConfigurations.remove(organizationId, ofOpenai);
      const overrides = { ...noOverrides, modelConfigurationId: ofOpenai };
      expect(await ended({ overrides }, {})).toBe("model_configuration_missing");
    });
  });

  describe("a session", () => {
    it("keeps its machine: its runs go one after another there, and others elsewhere", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      const session = await world.putSession();
      const [first, second] = [await world.queueRun({}, session), await world.queueRun({}, session)];
      const other = await world.queueRun();
      await world.match(
        world.queued(first),
        world.changed(machine),
        world.queued(second),
        world.queued(other),
      );
      expect(await stateOf(world, first)).toEqual(["running", machine.id]);
      expect((await world.run(second.id)).status).toBe("scheduling");
      expect((await world.run(other.id)).status).toBe("scheduling");
      await world.finish(first.id);
      await world.match(world.changed(machine));
      expect(await stateOf(world, second)).toEqual(["running", machine.id]);
      await world.finish(second.id);
      await world.match(world.changed(machine));
      expect((await world.run(other.id)).status).toBe("scheduling");
      expect(await world.idle()).toEqual([]);
      const third = await world.queueRun({}, { ...session, status: "active" });
      await world.match(world.queued(third));
      expect(await stateOf(world, third)).toEqual(["running", machine.id]);
    });

    it("waits in the queue of its pools for as long as its oldest run, and that one begins", async () => {
      const world = await begin();
      const pool = await world.putPool();
      const session = await world.putSession({ poolIds: [pool.id] });
      const [first, second] = [await world.queueRun({}, session), await world.queueRun({}, session)];
      const [stranger, machine] = [await world.putMachine(), await world.putMachine({ poolIds: [pool.id] })];
      await world.match(world.changed(stranger), world.changed(machine));
      await world.match(world.queued(second), world.queued(first));
      expect(await stateOf(world, first)).toEqual(["running", machine.id]);
      expect(await world.session(session)).toMatchObject({ status: "active", machineId: machine.id });
    });

    it("that nothing waits in loses its place, and gets it back with its next run", async () => {
      const world = await begin();
      const session = await world.putSession();
      const gone = await world.queueRun({}, session);
      await world.runs.update(world.organizationId, gone.id, {
        status: "cancelled",
        endedAt: isoTimestamp(world.clock.now()),
      });
      const machine = await world.putMachine();
      await world.match(world.changed(machine));
      expect(await world.matches.queue(world.organizationId, { kind: "any" }, 9)).toEqual([]);
      expect(await world.idle()).toHaveLength(1);
      const run = await world.queueRun({}, session);
      await world.match(world.queued(run));
      expect(await stateOf(world, run)).toEqual(["running", machine.id]);
    });

    it("that has ended cancels what waits in it, and gives its machine to others", async () => {
      const world = await begin();
      const { machine, session } = await world.putReserved();
      const waiting: Run[] = [];
      for (let count = 0; count < 120; count += 1) waiting.push(await world.queueRun({}, session));
      const other = await world.queueRun();
      const ended = await endSession(world, session);
      await world.match(ended);
      expect((await world.machine(machine)).reservedSessionId).toBeNull();
      await world.match(world.changed(machine));
      expect(await stateOf(world, other)).toEqual(["running", machine.id]);
      for (const { id } of waiting) expect((await world.run(id)).status).toBe("cancelled");
      const target = { kind: "session", sessionId: session.id } as const;
      expect(await world.matches.queue(world.organizationId, target, 9)).toEqual([]);
      await world.match(ended);
    });

    it("that has ended gives up its machine even while that is away", async () => {
      const world = await begin();
      const { machine, session } = await world.putReserved();
      await world.write({
        kind: "update",
        key: machineKey(world.organizationId, machine.id),
        change: { remove: ["connection_id", "connection_websocket_id", "connection_host"] },
      });
      await world.match(await endSession(world, session));
      expect((await world.machine(machine)).reservedSessionId).toBeNull();
    });

    it("that ended before it had a machine is found by none", async () => {
      const world = await begin();
      const session = await world.putSession();
      const run = await world.queueRun({}, session);
      const machine = await world.putMachine();
      const ended = await endSession(world, session);
      await world.match(world.changed(machine), world.queued(run), ended);
      expect((await world.run(run.id)).status).toBe("cancelled");
      expect(await world.machine(machine)).toMatchObject({ currentRunId: null, reservedSessionId: null });
      expect(await world.matches.queue(world.organizationId, { kind: "any" }, 9)).toEqual([]);
    });
  });

  describe("a chain", () => {
    const begun = async (world: MatchWorld, steps: readonly Partial<Run>[]) => {
      const machine = await world.putMachine();
      const session = await world.putSession();
      const chainId = randomUUID();
      const runs: Run[] = [];
      for (const step of steps) runs.push(await world.queueRun({ chainId, ...step }, session));
      await world.match(...runs.map(world.queued), world.changed(machine));
      return { machine, session, chainId, runs };
    };

    it("gives a step what earlier ones have put out, also where that lies in the bucket", async () => {
      const world = await begin();
      const [one, two] = [randomUUID(), randomUUID()];
      const { machine } = await begun(world, [
        { id: one, createdAt: isoTimestamp(world.clock.now()), sessionAlias: "a" },
        {
          id: two,
          createdAt: isoTimestamp(world.clock.now()),
          chainRunIds: { a: one },
          inputValues: { total: { $ref: "a.outputs.sums.1" } },
        },
      ]);
      const key = "spill/o/run/r/output-data";
      const body = JSON.stringify({ sums: [1, 42], rest: "x".repeat(9_000) });
      await world.files.put(key, new TextEncoder().encode(body), "application/json");
      await world.finish(one, { outputData: { kind: "object", key, bytes: body.length, head: "" } });
      await world.match(world.changed(machine));
      expect(await world.run(two)).toMatchObject({ status: "running", inputValues: { total: 42 } });
    });

    it("ends a step as error whose reference leads nowhere, with a sentence that names it", async () => {
      const world = await begin();
      const { machine, runs } = await begun(world, [
        {},
        { inputValues: { total: { $ref: "nobody.outputs.sum" } } },
      ]);
      await world.finish(runs[0]?.id ?? "");
      await world.match(world.changed(machine));
      const { status, error } = await world.run(runs[1]?.id ?? "");
      expect(status).toBe("error");
      expect(error.join()).toContain("nobody.outputs.sum");
    });

    it("that was stopped has its waiting steps cancelled, and its session goes on with others", async () => {
      const world = await begin();
      const { machine, session, chainId, runs } = await begun(world, [
        { chainKeepsSession: true },
        { chainKeepsSession: true },
        { chainKeepsSession: true },
      ]);
      const active: Session = { ...session, status: "active" };
      const other = await world.queueRun({}, active);
      const { organizationId } = world;
      const key = stoppedChainKey(organizationId, session.id, chainId);
      await world.write({ kind: "put", item: { ...key, kind: "stopped_chain" } });
      await world.finish(runs[0]?.id ?? "");
      await world.match(world.changed(machine));
      expect(await stateOf(world, other)).toEqual(["running", machine.id]);
      await world.match({ kind: "chain_stopped", organizationId, sessionId: session.id, chainId });
      for (const step of runs.slice(1)) expect((await world.run(step.id)).status).toBe("cancelled");
      expect(await world.table.get(key)).toBeUndefined();
    });
  });

  describe("matchers at the same time", () => {
    it("never give two machines one run, or two runs one machine", async () => {
      const world = await begin();
      const machines = await Promise.all(Array.from({ length: 10 }, () => world.putMachine()));
      const runs: Run[] = [];
      for (let count = 0; count < 15; count += 1) runs.push(await world.queueRun());
      const triggers = [...machines.map(world.changed), ...runs.map(world.queued)];
      await Promise.all([world.match(...triggers), world.match(...triggers.toReversed())]);
      const after = await Promise.all(runs.map(({ id }) => world.run(id)));
      const running = after.filter(({ status }) => status === "running");
      // These are not always the ten oldest: one matcher passes over runs that the other tries to place.
      expect(running).toHaveLength(10);
      expect(new Set(running.map(({ machineId }) => machineId)).size).toBe(10);
      for (const machine of machines) {
        const { currentRunId } = await world.machine(machine);
        expect((await world.run(currentRunId ?? "")).machineId).toBe(machine.id);
      }
    });
  });

  describe("no wake-up is lost", () => {
    it("when a run is queued after a machine's look and before its note, and its event has been handled", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      const queued: Run[] = [];
      const deps = {
        ...world.deps,
        matches: instead(world.matches, "markIdle", async (markIdle) => {
          const run = await world.queueRun();
          await world.match(world.queued(run));
          queued.push(run);
          return await markIdle();
        }),
      };
      await matchChanges(deps, [world.changed(machine)], world.clock.now() + 60_000);
      expect(await Promise.all(queued.map((run) => stateOf(world, run)))).toEqual([["running", machine.id]]);
      expect(await world.idle()).toEqual([]);
    });

    it("when the machine that was to take a run goes while an idle one passes the run over", async () => {
      const world = await begin();
      const [idle, goes] = [await world.putMachine(), await world.putMachine()];
      await world.match(world.changed(idle));
      const run = await world.queueRun();
      const deps = {
        ...world.deps,
        matches: instead(world.matches, "assign", async (assign, { machine }: Assignment) => {
          if (machine.id === goes.id) {
            await world.putMachine({ ...goes, isAvailable: false, revision: 2 });
            // The other matcher reads meanwhile.
            for (let turn = 0; turn < 100; turn += 1) await setImmediate();
          }
          return await assign();
        }),
      };
      const triggers = [world.changed(goes), world.queued(run)];
      await matchChanges(deps, triggers, world.clock.now() + 60_000);
      expect(await stateOf(world, run)).toEqual(["running", idle.id]);
    });
  });

  describe("an invocation", () => {
    it("answers what it had no time for", async () => {
      const world = await begin();
      const machine = await world.putMachine();
      const trigger = world.changed(machine);
      const failed = await matchChanges(world.deps, [trigger], world.clock.now() + 2_000);
      expect([...failed.keys()]).toEqual([trigger]);
      expect(await world.idle()).toEqual([]);
    });

    it("does all that it can when something fails, and answers that alone", async () => {
      const world = await begin();
      const [broken, fine] = [await world.putMachine(), await world.putMachine()];
      const { matches } = world;
      const failing = instead(matches, "machineQueue", async (machineQueue, ...given: unknown[]) => {
        if (given[1] === broken.id) throw new Error("the table is away");
        return await machineQueue();
      });
      const [bad, good] = [world.changed(broken), world.changed(fine)];
      const deps = { ...world.deps, matches: failing };
      expect([...(await matchChanges(deps, [bad, good], world.clock.now() + 60_000)).keys()]).toEqual([bad]);
      expect(await world.idle()).toMatchObject([{ machineId: fine.id }]);
    });
  });

  describe("a run that cannot be looked at", () => {
    it.each([new Error("the checker is broken"), new ChangedTooOften("the run")])(
      "(%s) keeps neither those behind it waiting nor the stream, and is tried again by whoever comes next",
      async (cause) => {
        const world = await begin();
        const strict = await world.putWorkflow({ inputSchema: { type: "object" } });
        const broken = await world.queueRun({ workflowId: strict.id });
        const fine = await world.queueRun();
        const check = async () => await Promise.reject(cause);
        const deps = { ...world.deps, checker: { check, checkSchema: check } };
        const [one, other] = [await world.putMachine(), await world.putMachine()];
        const serve = async (trigger: MatchTrigger) =>
          (await matchChanges(deps, [trigger], world.clock.now() + 60_000)).size;
        expect(await serve(world.changed(one))).toBe(0);
        expect(await stateOf(world, fine)).toEqual(["running", one.id]);
        expect(world.log.text()).toContain(broken.id);
        expect(await serve(world.changed(other))).toBe(0);
        const next = await world.queueRun();
        expect(await serve(world.queued(next))).toBe(0);
        expect(await stateOf(world, next)).toEqual(["running", other.id]);
        const third = await world.putMachine();
        await world.match(world.changed(third));
        expect(await stateOf(world, broken)).toEqual(["running", third.id]);
      },
    );
  });

  describe("the calls of an assignment", () => {
    it.each([10, many])(
      "are the same with %d runs that wait: a query for each queue, a read, a write",
      async (waiting) => {
        const world = await begin();
        const pool = await world.putPool();
        for (let count = 0; count < waiting; count += 1) await world.queueRun();
        const inPool = await world.queueRun({ poolIds: [pool.id] });
        const [plain, member] = [await world.putMachine(), await world.putMachine({ poolIds: [pool.id] })];
        table().take();
        await world.match(world.changed(plain));
        expect(table().take().toSorted()).toEqual(["BatchGetItem", "Query", "Query", "TransactWriteItems"]);
        await world.match(world.changed(member));
        expect(table().take().toSorted()).toEqual([
          "BatchGetItem",
          ...Array.from({ length: 4 }, () => "Query"),
          "TransactWriteItems",
        ]);
        expect((await world.run(inPool.id)).status).toBe("scheduling");
      },
    );

    it("are no more when many machines are free at once: each run is read once and assigned once", async () => {
      const world = await begin();
      for (let count = 0; count < 40; count += 1) await world.queueRun();
      const machines = await Promise.all(Array.from({ length: 40 }, () => world.putMachine()));
      table().take();
      await world.match(...machines.map(world.changed));
      const calls = Map.groupBy(table().take(), (call) => call);
      expect(calls.get("BatchGetItem")).toHaveLength(40);
      expect(calls.get("TransactWriteItems")).toHaveLength(40);
      expect(calls.get("DeleteItem") ?? []).toEqual([]);
    });

    it.each([
      ["machines become free", 5],
      ["runs find idle machines", 5],
    ])("are at most four where five %s, in a pool and outside", async (event, count) => {
      const world = await begin();
      const pool = await world.putPool();
      const machines = await Promise.all(
        Array.from({ length: count }, () => world.putMachine({ poolIds: [pool.id] })),
      );
      const areIdle = event === "runs find idle machines";
      if (areIdle) await world.match(...machines.map(world.changed));
      const runs: Run[] = [];
      for (let at = 0; at < count; at += 1) {
        runs.push(await world.queueRun(at % 2 === 1 && !areIdle ? { poolIds: [pool.id] } : {}));
      }
      table().take();
      await world.match(...(areIdle ? runs.map(world.queued) : machines.map(world.changed)));
      expect(table().take().length).toBeLessThanOrEqual(4 * count);
      for (const run of runs) expect((await world.run(run.id)).status).toBe("running");
    });

    it("are at most eight where four matchers meet at one queue", async () => {
      const world = await begin();
      const machines = await Promise.all(Array.from({ length: 64 }, () => world.putMachine()));
      for (let count = 0; count < 100; count += 1) await world.queueRun();
      table().take();
      await Promise.all(
        [0, 1, 2, 3].map((lane) =>
          world.match(...machines.filter((_, at) => at % 4 === lane).map(world.changed)),
        ),
      );
      expect(table().take().length).toBeLessThanOrEqual(8 * machines.length);
      for (const machine of machines) expect((await world.machine(machine)).currentRunId).not.toBeNull();
    });

    it("are one query more for a run that finds a machine which is idle", async () => {
      const world = await begin();
      for (let count = 0; count < 40; count += 1) {
        await world.match(world.changed(await world.putMachine()));
      }
      const run = await world.queueRun();
      table().take();
      await world.match(world.queued(run));
      expect(table().take().toSorted()).toEqual([
        "BatchGetItem",
        ...Array.from({ length: 3 }, () => "Query"),
        "TransactWriteItems",
      ]);
      expect((await world.run(run.id)).status).toBe("running");
      const runs = [await world.queueRun(), await world.queueRun(), await world.queueRun()];
      table().take();
      await world.match(...runs.map(world.queued));
      const queries = table()
        .take()
        .filter((call) => call === "Query");
      // One query for idle machines, one for the shared queue, and one for each machine's own.
      expect(queries).toHaveLength(2 + runs.length);
    });
  });
}
