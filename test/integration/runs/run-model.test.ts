import { it } from "vitest";
import { countWrite } from "../../../shared/storage/table/counters.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { machineKey, poolKey, workflowKey } from "../../../shared/storage/table/keys.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { checkRunModel, type ModelledRuns } from "../../support/ports/run-model.suite.ts";

const table = useTable();
const keys = { workflow: workflowKey, machine: machineKey, pool: poolKey };

function stores(): ModelledRuns {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    runs: new DynamoRunStore({ table: dynamo, clock }),
    putRequired: async (what, organizationId, id) => {
      await dynamo.put({ ...keys[what](organizationId, id), kind: what });
    },
    putRun: async (run) => {
      await dynamo.transact([{ kind: "put", item: runItem(run) }, countWrite("RUN", run, 1)]);
    },
  };
}

it("keeps totals, states and uses of secrets through any sequence of changes to runs", async () => {
  await checkRunModel(stores, 15);
});
