import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryConnectionStore } from "../../support/fakes/in-memory-connection-store.ts";
import { InMemoryMachineStore } from "../../support/fakes/in-memory-machine-store.ts";
import { machineListSuite, searchRowsMaxInSuite } from "../../support/ports/machine-list.suite.ts";

machineListSuite(() => {
  const claims = new InMemoryClaimStore(new FakeClock());
  const machines = new InMemoryMachineStore(claims, searchRowsMaxInSuite);
  return { machines, connections: new InMemoryConnectionStore(machines, claims) };
});
