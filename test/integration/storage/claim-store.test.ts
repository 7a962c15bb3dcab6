import { DynamoClaimStore } from "../../../shared/storage/table/dynamo-claim-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { claimStoreSuite } from "../../support/ports/claim-store.suite.ts";

const table = useTable();

claimStoreSuite((clock) => new DynamoClaimStore(table().at(clock), clock));
