import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { machineReservationSuite } from "../../support/ports/machine-reservation.suite.ts";
import { machineStoreSuite } from "../../support/ports/machine-store.suite.ts";

machineStoreSuite(() => inMemoryStores());
machineReservationSuite(() => {
  const { machines, sessions, runs } = inMemoryStores();
  return {
    machines,
    sessions,
    putMachine: async (machine) => machines.write(machine),
    putSession: async (session) => runs.writeSession(session),
  };
});
