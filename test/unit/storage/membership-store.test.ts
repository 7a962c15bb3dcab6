import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { membershipStoreSuite } from "../../support/ports/membership-store.suite.ts";

membershipStoreSuite(() => inMemoryStores());
