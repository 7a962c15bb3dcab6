import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { machineStoreSuite } from "../../support/ports/machine-store.suite.ts";

machineStoreSuite(() => inMemoryStores());
