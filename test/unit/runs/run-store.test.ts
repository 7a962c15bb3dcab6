import type { Target } from "../../../shared/domain/matching/target.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryMachineStore } from "../../support/fakes/in-memory-machine-store.ts";
import { InMemoryRunStore } from "../../support/fakes/in-memory-run-store.ts";
import { InMemorySessionStore } from "../../support/fakes/in-memory-session-store.ts";
import { InMemoryWaitingStore } from "../../support/fakes/in-memory-waiting-store.ts";
import { runListSuite } from "../../support/ports/run-list.suite.ts";
import { runQueueSuite } from "../../support/ports/run-queue.suite.ts";
import { runStoreSuite } from "../../support/ports/run-store.suite.ts";
import { type WaitingStores, waitingStoreSuite } from "../../support/ports/waiting-store.suite.ts";

function stores(searchRowsMax: number): WaitingStores {
  const idempotencyRecords = new InMemoryIdempotencyStore(new FakeClock());
  const machines = new InMemoryMachineStore(idempotencyRecords);
  const there = new Set<string>();
  const exists = (...what: readonly string[]) => there.has(what.join(" "));
  const runs = new InMemoryRunStore(idempotencyRecords, exists, searchRowsMax, machines);
  return {
    runs,
    idempotencyRecords,
    putRequired: async (...what) => void there.add(what.join(" ")),
    putRun: async (run) => runs.write(run),
    queueOf: async (organizationId: string, target: Target) => runs.queueOf(organizationId, target),
    knownPoolSets: async (organizationId) => runs.knownPoolSets(organizationId),
    putMachine: async (machine) => machines.write(machine),
    findMachine: async (organizationId, machineId) => await machines.find(organizationId, machineId),
    putSession: async (session) => runs.writeSession(session),
    sessions: new InMemorySessionStore(runs),
    waiting: new InMemoryWaitingStore(runs),
    isChainStopped: async (_organizationId, ...chain) => runs.stoppedChains.has(chain.join(" ")),
  };
}

runStoreSuite(() => stores(10_000));
runListSuite(() => stores(5));
runQueueSuite(() => stores(10_000));
waitingStoreSuite(() => stores(10_000));
