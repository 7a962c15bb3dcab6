import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemorySecretStore } from "../../support/fakes/in-memory-secret-store.ts";
import { secretStoreSuite } from "../../support/ports/secret-store.suite.ts";

secretStoreSuite(() => {
  const clock = new FakeClock();
  const store = new InMemorySecretStore(clock);
  return {
    store,
    stored: async (name) => {
      const values = store.values(name);
      return values && JSON.stringify(values);
    },
    advance: (ms) => clock.advance(ms),
    nowMs: () => clock.now(),
  };
});
