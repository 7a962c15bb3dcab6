import { useTable } from "../../support/dynamo-stores.ts";
import { matchStoreSuite } from "../../support/ports/match-store.suite.ts";

const table = useTable();

matchStoreSuite((clock) => table().at(clock));
