import { useTableStores } from "../../support/dynamo-stores.ts";
import { otherStoresSuite } from "../../support/ports/table-stores.suite.ts";

otherStoresSuite(useTableStores(), { sequences: 4 });
