import { DynamoClaimStore } from "../../../shared/storage/dynamo-claim-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/dynamo-machine-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { machineStoreSuite } from "../../support/ports/machine-store.suite.ts";

const table = useTable();

machineStoreSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    machines: new DynamoMachineStore({ table: dynamo, clock }),
    claims: new DynamoClaimStore(dynamo, clock),
  };
});
