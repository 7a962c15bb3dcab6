import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { connectionStoreSuite } from "../../support/ports/connection-store.suite.ts";

connectionStoreSuite(() => inMemoryStores());
