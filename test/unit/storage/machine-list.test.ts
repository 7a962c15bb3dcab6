import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryConnectionStore } from "../../support/fakes/in-memory-connection-store.ts";
import { InMemoryMachineStore } from "../../support/fakes/in-memory-machine-store.ts";
import { machineListSuite, searchRowsMaxInSuite } from "../../support/ports/machine-list.suite.ts";

machineListSuite(() => {
  const machines = new InMemoryMachineStore(new InMemoryClaimStore(new FakeClock()), searchRowsMaxInSuite);
  return { machines, connections: new InMemoryConnectionStore(machines) };
});
