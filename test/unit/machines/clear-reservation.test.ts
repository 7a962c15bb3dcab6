import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import {
  AlreadyOnRecord,
  type Idempotency,
  leaseMs,
} from "../../../shared/domain/idempotency/idempotency.ts";
import { finishClearing } from "../../../shared/domain/reservation/clear-reservation.ts";
import { type UpdateMachineInput, updateMachine } from "../../../shared/domain/reservation/update-machine.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { anIdempotency, aRun } from "../../support/builders/entities.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { newRuns } from "../../support/ports/run-store.suite.ts";
import { captureLog } from "../../support/shared/captured-log.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A model whose client interrupts the call of a given number, from 1: it is not done, or done without a response. */
function interruptible() {
  const model = new DynamoModel();
  const calls = { made: 0, interruptedAt: 0, isDone: false };
  const client = {
    send: async (command: unknown) => {
      calls.made += 1;
      if (calls.made !== calls.interruptedAt) return model.answer(command);
      try {
        if (calls.isDone) model.answer(command);
      } catch {
        // A refusal is lost with the response.
      }
      throw new Interrupted("nobody will hear the answer");
    },
  } as Pick<DynamoDBClient, "send">;
  return { model, client, calls };
}

interface Wanted {
  readonly isReserved: boolean;
  readonly waiting: number;
}

/** Creates a machine that has a run, a reservation and waiting runs of three kinds, and entities that must stay. */
async function setUp({ isReserved, waiting }: Wanted) {
  const { model, client, calls } = interruptible();
  const stores = createModelStores({ model, client });
  const { clock, runs, put } = stores;
  const deps = { ...stores, logger: captureLog(clock).logger };
  const machine = await put.machine({
    isAvailable: false,
    currentRunId: v7(),
    reservedSessionId: isReserved ? v7() : null,
  });
  const { organizationId, id: machineId, reservedSessionId: sessionId } = machine;
  const { id: workflowId } = await put.workflow({ organizationId });
  const of = (fields: Partial<Run>) =>
    aRun({ organizationId, workflowId, queuedAt: isoTimestamp(clock.now()), ...fields });
  const pending = await put.session({ organizationId, machineId });
  const many = (fields: Partial<Run>) => Array.from({ length: waiting }, () => of(fields));
  const queued = [
    ...many({ machineId }),
    ...(sessionId === null ? [] : many({ machineId, sessionId })),
    ...many({ machineId, sessionId: pending.id }),
  ];
  for (let first = 0; first < queued.length; first += 40) {
    await runs.create(newRuns(queued.slice(first, first + 40)));
  }
  const other = await put.run({ organizationId, machineId: v7() });
  clock.advance(60_000);
  calls.made = 0;
  const caller: Caller = {
    kind: "api_key",
    organizationId,
    userId: machine.userId,
    principal: "a key",
    keyId: null,
    scopes: ["write"],
  };
  const clear = async (input: Partial<UpdateMachineInput> = {}, idempotency?: Idempotency) =>
    await updateMachine(deps, caller, { machineId, reservedSessionId: null, ...input }, idempotency);
  const found = async () => {
    const after = await deps.machines.find(organizationId, machineId);
    const ids = [machine.currentRunId ?? "", ...queued.map(({ id }) => id)];
    const ended = await Promise.all(ids.map((id) => runs.find(organizationId, id)));
    const sessions = await Promise.all(
      [sessionId, pending.id].map((id) => (id === null ? undefined : deps.sessions.find(organizationId, id))),
    );
    const queues = await Promise.all(
      [sessionId, pending.id].map((id) =>
        deps.waiting.oldest(organizationId, { kind: "session", sessionId: id ?? "" }, 100),
      ),
    );
    return {
      machine: {
        run: after?.currentRunId,
        reserved: after?.reservedSessionId,
        clearing: after?.clearingSince,
        isAvailable: after?.isAvailable,
        name: after?.name,
      },
      isDue: (await deps.machines.listClearingDue(10)).length > 0,
      runs: [...new Set(ended.map((run) => run?.status))],
      sessions: [...new Set(sessions.map((session) => session?.status))].filter(Boolean),
      waiting: queues.flat().length,
      atMachine: await deps.waiting.oldest(organizationId, { kind: "machine", machineId }, 100),
      other: (await runs.find(organizationId, other.id))?.status,
    };
  };
  return { ...deps, calls, clear, found, organizationId, machineId, of };
}

const cleared = {
  machine: { run: null, reserved: null, clearing: null, isAvailable: true, name: "" },
  isDue: false,
  runs: ["cancelled"],
  sessions: ["ended"],
  waiting: 0,
  atMachine: [],
  other: "scheduling",
};

describe("clearing a machine's reservation", () => {
  it("cancels what the machine runs and whatever waits for it, and leaves all else", async () => {
    for (const isReserved of [true, false]) {
      const { clear, found } = await setUp({ isReserved, waiting: 120 });
      expect(await clear()).toMatchObject({ reservedSessionId: null, isAvailable: true, currentRunId: null });
      expect(await found()).toEqual(cleared);
    }
  });

  it("leaves what is queued after it", async () => {
    const { clear, found, runs, of, machineId, organizationId, clock } = await setUp({
      isReserved: true,
      waiting: 2,
    });
    await clear();
    clock.advance(1);
    const later = of({ machineId });
    await runs.create(newRuns([later]));
    expect((await found()).atMachine).toHaveLength(1);
    expect(await runs.find(organizationId, later.id)).toEqual(later);
  });

  const secret = { sensitiveParameters: { pin: "1" } };
  const variants = [
    { title: "by itself", input: {}, isKeyed: false, isReserved: true },
    { title: "of a machine that is not reserved", input: {}, isKeyed: false, isReserved: false },
    { title: "with another change", input: { name: "new" }, isKeyed: false, isReserved: true },
    { title: "under an Idempotency-Key", input: { name: "new" }, isKeyed: true, isReserved: true },
    { title: "with secrets", input: { ...secret, name: "new" }, isKeyed: false, isReserved: true },
    {
      title: "with secrets, under a key",
      input: { ...secret, name: "new" },
      isKeyed: true,
      isReserved: true,
    },
    {
      title: "with secrets and an edition, under a key",
      input: { ...secret, name: "new", ifEdition: [0] },
      isKeyed: true,
      isReserved: true,
    },
  ];

  for (const { title, input, isKeyed, isReserved } of variants) {
    it(`${title}: interrupted before or after any of its calls and asked for again, it comes to the same end`, async () => {
      const end = { ...cleared, machine: { ...cleared.machine, name: input.name ?? "" } };
      // Several pages wait only where nothing else changes: other changes do not depend on the number of waiting runs.
      const waiting = input.name === undefined ? 52 : 2;
      const whole = await setUp({ isReserved, waiting });
      await whole.clear(input, isKeyed ? anIdempotency(whole.organizationId) : undefined);
      const callsOfAll = whole.calls.made;
      expect(await whole.found()).toEqual(end);
      let interrupted = 0;
      for (const isDone of [false, true]) {
        for (let place = 1; place <= callsOfAll; place += 1) {
          const world = await setUp({ isReserved, waiting });
          Object.assign(world.calls, { interruptedAt: place, isDone });
          const first = isKeyed ? anIdempotency(world.organizationId) : undefined;
          try {
            await world.clear(input, first);
          } catch (error) {
            if (!(error instanceof Interrupted)) throw error;
            interrupted += 1;
          }
          world.calls.interruptedAt = 0;
          world.clock.advance(leaseMs + 1);
          const again = first && {
            ...anIdempotency(world.organizationId),
            id: first.id,
            bodyMac: first.bodyMac,
          };
          try {
            await world.clear(input, again);
          } catch (error) {
            if (!(error instanceof AlreadyOnRecord && error.record.kind === "done")) throw error;
          }
          expect(await world.found(), `call ${place}, done: ${isDone}`).toEqual(end);
          expect(world.secrets.names().length, `secrets after ${place}`).toBeLessThanOrEqual(2);
        }
      }
      expect(interrupted).toBe(2 * callsOfAll);
    });
  }

  it("is not begun when somebody has edited the machine since", async () => {
    const { clear, found, machines, organizationId, machineId } = await setUp({
      isReserved: true,
      waiting: 2,
    });
    await machines.update(organizationId, machineId, { name: "edited" }, { edit: {} });
    const before = await found();
    await expect(clear({ ifEdition: [0] })).rejects.toMatchObject({ code: "changed_meanwhile", tag: '"1"' });
    expect(await found()).toEqual(before);
    expect(await clear({ ifEdition: [1] })).toMatchObject({ edition: 2, reservedSessionId: null });
  });

  it("interrupted anywhere, the sweeper finishes it", async () => {
    const whole = await setUp({ isReserved: true, waiting: 52 });
    await whole.clear();
    for (let place = 1; place <= whole.calls.made; place += 1) {
      const world = await setUp({ isReserved: true, waiting: 52 });
      world.calls.interruptedAt = place;
      await expect(world.clear()).rejects.toThrow(Interrupted);
      world.calls.interruptedAt = 0;
      const due = await world.machines.listClearingDue(10);
      for (const { organizationId, id } of due) {
        expect(await finishClearing(world, organizationId, id)).toBe(true);
      }
      if (due.length > 0) expect(await world.found()).toEqual(cleared);
      expect(await finishClearing(world, world.organizationId, world.machineId)).toBe(false);
    }
  });

  it("asked for twice at the same time, comes to one end", async () => {
    const { clear, found } = await setUp({ isReserved: true, waiting: 30 });
    await Promise.all([clear({ name: "new" }), clear({ name: "new" }), clear({ name: "new" })]);
    expect(await found()).toEqual({ ...cleared, machine: { ...cleared.machine, name: "new" } });
  });

  it("asked for again under its key, after the answer, cancels nothing that came since", async () => {
    const { clear, runs, of, machineId, organizationId } = await setUp({ isReserved: true, waiting: 1 });
    const idempotency = anIdempotency(organizationId);
    await clear({}, idempotency);
    const later = of({ machineId });
    await runs.create(newRuns([later]));
    await expect(clear({}, idempotency)).rejects.toThrow(AlreadyOnRecord);
    expect(await runs.find(organizationId, later.id)).toMatchObject({ status: "scheduling" });
  });
});
