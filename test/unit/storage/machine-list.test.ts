import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryConnectionStore } from "../../support/fakes/in-memory-connection-store.ts";
import { InMemoryMachineStore } from "../../support/fakes/in-memory-machine-store.ts";
import { machineListSuite, searchRowsMaxInSuite } from "../../support/ports/machine-list.suite.ts";

machineListSuite(() => {
  const idempotencyRecords = new InMemoryIdempotencyStore(new FakeClock());
  const machines = new InMemoryMachineStore(idempotencyRecords, searchRowsMaxInSuite);
  return { machines, connections: new InMemoryConnectionStore(machines, idempotencyRecords) };
});
