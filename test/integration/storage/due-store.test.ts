import { DynamoDueStore } from "../../../shared/storage/maintenance/dynamo-due-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { dueStoreSuite } from "../../support/ports/due-store.suite.ts";

const table = useTable();

dueStoreSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return { due: new DynamoDueStore({ table: dynamo }), pools: new DynamoPoolStore({ table: dynamo, clock }) };
});
