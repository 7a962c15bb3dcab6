import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { v7 } from "uuid";
import { createMatcher } from "../../functions/matcher/app.ts";
import { createSweeper } from "../../functions/sweeper/app.ts";
import type { Connection } from "../../shared/domain/connection/connection.ts";
import { ownerOfObject } from "../../shared/files/object-owner.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { connectionItem } from "../../shared/storage/connection/connection-item.ts";
import { machineItem } from "../../shared/storage/machine/machine-item.ts";
import { runItem } from "../../shared/storage/run/run-item.ts";
import { readMatchTrigger } from "../../shared/storage/stream/match-triggers.ts";
import { aConnection, aMachine, anOrganization, aRun } from "../support/builders/entities.ts";
import { DynamoModel } from "../support/dynamo-model/dynamo-model.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";
import { createModelStores } from "../support/stores/model-stores.ts";
import { tunnelWorld } from "../support/tunnel-world/tunnel-world.ts";
import type { Figure } from "./figure.ts";
import { sized } from "./sized.ts";

const machines = Number(process.env.FLEET_MACHINES ?? sized(100_000, 160));
const shards = 16;
const minuteMs = 60_000;
const graceMs = 2 * minuteMs;
const silenceMs = 11 * minuteMs;
/** Time per call of an invocation that makes ten at once: a share of the CPU at 512 MB, more than the network takes. */
const callMs = 4;
const serviceMsMax = 3 * minuteMs;
const batch = 100;

/** A clock that only calls advance; each invocation has its own. */
class WorkClock extends FakeClock {
  override async sleep(ms: number): Promise<void> {
    this.advance(ms);
  }
}

/** The calls of one invocation, and the items that they write. */
class Tally {
  calls = 0;
  writes = 0;

  add(command: unknown): void {
    this.calls += 1;
    if (command instanceof TransactWriteItemsCommand) this.writes += command.input.TransactItems?.length ?? 0;
    const isWrite =
      command instanceof PutItemCommand ||
      command instanceof UpdateItemCommand ||
      command instanceof DeleteItemCommand;
    if (isWrite) this.writes += 1;
  }
}

/**
 * Switches a fleet off at once, without a close, while all machines have a run: the sweeper closes the connections,
 * then ends the runs. Then the whole fleet is back. Measured by shard, since each helper takes one.
 */
export async function measureFleet(): Promise<readonly Figure[]> {
  const closing = new Tally();
  const ending = new Tally();
  const returning = new Tally();
  const matching = new Tally();
  let [lastMs, sweeps] = [0, 0];
  for (let shard = 0; shard < shards; shard += 1) {
    const share = Math.floor(machines / shards) + (shard < machines % shards ? 1 : 0);
    const startMs = Date.UTC(2026, 10, 22);
    const fleet = await createFleet(shard, share, startMs);
    for (let minute = 0; fleet.running() > 0; minute += 1) {
      if (minute > 60) throw new Error(`${fleet.running()} runs of shard ${shard} do not end`);
      const atMs = startMs + silenceMs + 1_000 + minute * minuteMs;
      await fleet.sweep("silent_connections", atMs, closing);
      const before = fleet.running();
      const doneMs = await fleet.sweep("vanished_machines", atMs, ending);
      if (fleet.running() < before) lastMs = Math.max(lastMs, doneMs - startMs - silenceMs - 1_000 - graceMs);
      sweeps += 2;
    }
    await fleet.comeBack(startMs + 60 * minuteMs, returning, matching);
  }
  const each = ({ calls, writes }: Tally) =>
    `${calls} calls, ${writes} writes: ${(writes / machines).toFixed(2)} a machine`;
  return [
    {
      figure: `${machines} machines switched off at once, last run ended`,
      measured: `${(lastMs / 1_000).toFixed(0)} s of service time, in ${sweeps} sweeps of a shard`,
      target: `at most ${serviceMsMax / 1_000} s`,
      isReached: lastMs <= serviceMsMax,
    },
    { figure: "their connections closed", measured: each(closing), target: "" },
    { figure: "their runs ended", measured: each(ending), target: "" },
    { figure: "all back: connect and hello", measured: each(returning), target: "" },
    { figure: "all back: noted idle", measured: each(matching), target: "" },
  ];
}

async function createFleet(shard: number, share: number, startMs: number) {
  const model = new DynamoModel();
  const organizationId = anOrganization();
  const clock = new WorkClock(startMs);
  const { stores } = storesAt(model, clock, new Tally());
  const lastPing = new Date(startMs).toISOString();
  const id = () => `${v7().slice(0, -1)}${shard.toString(16)}`;
  const connections: Connection[] = [];
  for (let count = 0; count < share; count += 1) {
    const runId = id();
    const machine = aMachine({ id: id(), organizationId, currentRunId: runId });
    const connection = aConnection(machine, { id: id(), status: "connected", lastPing, keyId: "key" });
    const assigned = {
      machineId: machine.id,
      assignmentId: v7(),
      status: "running",
      startedAt: lastPing,
    } as const;
    await stores.table.put(machineItem({ ...machine, connection, keyServiceKeyId: "key" }));
    await stores.table.put(connectionItem(connection));
    await stores.table.put(runItem(aRun({ id: runId, organizationId, ...assigned })));
    connections.push(connection);
    model.takeRecords();
  }
  let running = share;
  return {
    running: () => running,
    /** Runs one invocation as the schedule's helper. @returns the time of its end. */
    async sweep(sweep: string, atMs: number, tally: Tally): Promise<number> {
      const at = new WorkClock(atMs);
      const { stores: its } = storesAt(model, at, tally);
      const world = tunnelWorld();
      const sweeper = createSweeper({
        ...world,
        ...its,
        clock: at,
        sockets: {
          exists: async () => {
            spend(at);
            return false;
          },
          disconnect: async () => spend(at),
        },
        checker: new AjvInputChecker({ clock: at }),
        vanishedGraceMs: graceMs,
        sessionIdleMs: 60 * minuteMs,
        runDays: 0,
        secretOwner: () => undefined,
        objectOwner: ownerOfObject,
        helper: { start: async () => {} },
      });
      await sweeper({ sweep, shard });
      for (const { dynamodb } of model.takeRecords()) {
        const [before, after] = [dynamodb.OldImage, dynamodb.NewImage].map((image) => textOf(image?.status));
        if (textOf(dynamodb.NewImage?.kind) === "run" && before === "running" && after === "error")
          running -= 1;
      }
      return at.now();
    },
    async comeBack(atMs: number, returning: Tally, matching: Tally): Promise<void> {
      const at = new WorkClock(atMs);
      const { stores: its } = storesAt(model, at, returning);
      for (const { machineId } of connections) {
        const machine = aMachine({ id: machineId, organizationId, keyServiceKeyId: "key" });
        const connection = aConnection(machine, { id: id() });
        await its.connections.open(connection);
        await its.connections.activate(connection, {}, at.now());
      }
      const { stores: matched } = storesAt(model, at, matching);
      const checker = new AjvInputChecker({ clock: at });
      const logger = tunnelWorld().logger;
      const matcher = createMatcher({ ...matched, checker, logger, readTrigger: readMatchTrigger });
      const records = model
        .takeRecords()
        .filter(({ dynamodb }) => textOf(dynamodb.NewImage?.kind) === "machine");
      for (let start = 0; start < records.length; start += batch) {
        const Records = records.slice(start, start + batch);
        const { batchItemFailures } = await matcher(
          { Records },
          { getRemainingTimeInMillis: () => minuteMs },
        );
        if (batchItemFailures.length > 0) throw new Error("machines that are back were not noted");
      }
    },
  };
}

function storesAt(model: DynamoModel, clock: WorkClock, tally: Tally) {
  const send = async (command: unknown) => {
    spend(clock);
    tally.add(command);
    return model.answer(command);
  };
  const client = { send: send as unknown } as Pick<DynamoDBClient, "send">;
  return { stores: createModelStores({ model, clock, client }) };
}

function spend(clock: WorkClock): void {
  clock.advance(callMs);
}

function textOf(attribute: unknown): string {
  return String((attribute as { readonly S?: string } | undefined)?.S ?? "");
}
