import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { idempotencyStoreSuite } from "../../support/ports/idempotency-store.suite.ts";

const table = useTable();

idempotencyStoreSuite((clock) => new DynamoIdempotencyStore({ table: table().at(clock), clock }));
