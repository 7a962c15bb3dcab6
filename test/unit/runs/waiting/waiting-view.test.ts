import { inMemoryStores } from "../../../support/fakes/in-memory-stores.ts";
import { waitingViewSuite } from "../../../support/ports/waiting-view.suite.ts";

waitingViewSuite(() => {
  const { waitingView: view, memberships, machines, pools, runs } = inMemoryStores();
  return {
    view,
    memberships,
    putMachine: async (machine) => machines.write(machine),
    putPool: async (pool) => pools.write(pool),
    putSession: async (session) => runs.writeSession(session),
    putRun: async (run) => runs.write(run),
  };
});
