import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { testTableId } from "../../support/fakes/in-memory-file-store.ts";
import { InMemorySecretStore } from "../../support/fakes/in-memory-secret-store.ts";
import { secretStoreSuite } from "../../support/ports/secret-store.suite.ts";

secretStoreSuite(() => {
  const clock = new FakeClock();
  const store = new InMemorySecretStore(clock);
  return {
    store,
    tableId: testTableId,
    createElsewhere: async (name) => {
      store.tableId = "another-table";
      await store.create(name, {});
      store.tableId = testTableId;
    },
    stored: async (name) => {
      const values = store.values(name);
      return values && JSON.stringify(values);
    },
    advance: (ms) => clock.advance(ms),
    nowMs: () => clock.now(),
  };
});
