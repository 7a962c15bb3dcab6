import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../../shared/storage/session/dynamo-session-store.ts";
import { DynamoWaitingStore } from "../../../shared/storage/waiting/dynamo-waiting-store.ts";
import { countWrite } from "../../../shared/storage/table/counters.ts";
import {
  machineKey,
  poolKey,
  poolSetPartition,
  stoppedChainKey,
  workflowKey,
} from "../../../shared/storage/table/keys.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { queryItems } from "../../../shared/storage/table/query.ts";
import { readQueue } from "../../../shared/storage/queue/queue-reads.ts";
import { parsePoolSet } from "../../../shared/storage/queue/queue-rows.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { sessionItem } from "../../../shared/storage/session/session-item.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { runListSuite } from "../../support/ports/run-list.suite.ts";
import { runQueueSuite } from "../../support/ports/run-queue.suite.ts";
import { runStoreSuite } from "../../support/ports/run-store.suite.ts";
import { type WaitingStores, waitingStoreSuite } from "../../support/ports/waiting-store.suite.ts";

const table = useTable();
const keys = { workflow: workflowKey, machine: machineKey, pool: poolKey };

function stores(searchRowsMax: number): WaitingStores {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    runs: new DynamoRunStore({ table: dynamo, clock, searchRowsMax }),
    idempotencyRecords: new DynamoIdempotencyStore({ table: dynamo, clock }),
    putRequired: async (what, organizationId, id) => {
      await dynamo.put({ ...keys[what](organizationId, id), kind: what });
    },
    putRun: async (run) => {
      await dynamo.transact([{ kind: "put", item: runItem(run) }, countWrite("RUN", run, 1)]);
    },
    queueOf: async (organizationId, target) => await readQueue(dynamo, organizationId, target, 100),
    knownPoolSets: async (organizationId) => {
      const rows = await queryItems(dynamo, { partition: poolSetPartition(organizationId) });
      return rows.map((row) => parsePoolSet(row).poolIds);
    },
    putMachine: async (machine) => void (await dynamo.put(machineItem(machine))),
    findMachine: async (organizationId, machineId) =>
      await new DynamoMachineStore({ table: dynamo, clock }).find(organizationId, machineId),
    putSession: async (session) => void (await dynamo.put(sessionItem(session))),
    sessions: new DynamoSessionStore({ table: dynamo }),
    waiting: new DynamoWaitingStore({ table: dynamo }),
    isChainStopped: async (...chain) => (await dynamo.get(stoppedChainKey(...chain))) !== undefined,
  };
}

runStoreSuite(() => stores(10_000));
runListSuite(() => stores(5));
runQueueSuite(() => stores(10_000));
waitingStoreSuite(() => stores(10_000));
