import { DynamoConnectionStore } from "../../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { machineListSuite, searchRowsMaxInSuite } from "../../support/ports/machine-list.suite.ts";

const table = useTable();

machineListSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    machines: new DynamoMachineStore({ table: dynamo, clock, searchRowsMax: searchRowsMaxInSuite }),
    connections: new DynamoConnectionStore({ table: dynamo }),
  };
});
