import { tableStoresSuite } from "../../support/ports/table-stores.suite.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

tableStoresSuite(createModelStores, { sequences: 100 });
