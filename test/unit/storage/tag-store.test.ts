import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { tagStoreSuite } from "../../support/ports/tag-store.suite.ts";

tagStoreSuite(() => inMemoryStores());
