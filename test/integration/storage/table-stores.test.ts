import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { tableStoresSuite } from "../../support/ports/table-stores.suite.ts";
import { tableStores } from "../../support/stores/table-stores.ts";

const table = useTable();

tableStoresSuite(
  ({ clock = new FakeClock(), searchRowsMax } = {}) =>
    tableStores({ table: table().at(clock), clock, searchRowsMax }),
  { sequences: 15 },
);
