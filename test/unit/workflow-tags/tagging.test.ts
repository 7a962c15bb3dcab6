import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";
import { taggingSuite } from "../../support/ports/tagging.suite.ts";

taggingSuite(() => inMemoryStores(), { runs: 200 });
