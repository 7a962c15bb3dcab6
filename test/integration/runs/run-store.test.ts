import { DynamoClaimStore } from "../../../shared/storage/dynamo-claim-store.ts";
import { DynamoRunStore } from "../../../shared/storage/dynamo-run-store.ts";
import { countWrite } from "../../../shared/storage/counters.ts";
import { machineKey, poolKey, workflowKey } from "../../../shared/storage/keys.ts";
import { runItem } from "../../../shared/storage/run-item.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { runListSuite } from "../../support/ports/run-list.suite.ts";
import { type RunStores, runStoreSuite } from "../../support/ports/run-store.suite.ts";

const table = useTable();
const keys = { workflow: workflowKey, machine: machineKey, pool: poolKey };

function stores(searchRowsMax: number): RunStores {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    runs: new DynamoRunStore({ table: dynamo, clock, searchRowsMax }),
    claims: new DynamoClaimStore(dynamo, clock),
    putRequired: async (what, organizationId, id) => {
      await dynamo.put({ ...keys[what](organizationId, id), kind: what });
    },
    putRun: async (run) => {
      await dynamo.transact([{ kind: "put", item: runItem(run) }, countWrite("RUN", run, 1)]);
    },
  };
}

runStoreSuite(() => stores(10_000));
runListSuite(() => stores(5));
