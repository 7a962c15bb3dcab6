import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { poolSearchRowsMaxInSuite, poolStoreSuite } from "../../support/ports/pool-store.suite.ts";

const table = useTable();

poolStoreSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    pools: new DynamoPoolStore({ table: dynamo, clock, searchRowsMax: poolSearchRowsMaxInSuite }),
    idempotencyRecords: new DynamoIdempotencyStore({ table: dynamo, clock }),
  };
});
