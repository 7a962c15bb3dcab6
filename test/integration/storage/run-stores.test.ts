import { useTableStores } from "../../support/dynamo-stores.ts";
import { runStoresSuite } from "../../support/ports/table-stores.suite.ts";

runStoresSuite(useTableStores(), { sequences: 5 });
