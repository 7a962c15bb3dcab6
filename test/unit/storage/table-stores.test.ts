import { otherStoresSuite, runStoresSuite } from "../../support/ports/table-stores.suite.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

runStoresSuite(createModelStores, { sequences: 100 });
otherStoresSuite(createModelStores, { sequences: 100 });
