import { describe } from "vitest";
import type { Clock } from "../../../shared/domain/clock.ts";
import { countWrite } from "../../../shared/storage/table/counters.ts";
import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoConnectionStore } from "../../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoDueStore } from "../../../shared/storage/maintenance/dynamo-due-store.ts";
import { DynamoMembershipStore } from "../../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoTagStore } from "../../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { DynamoWorkflowStore } from "../../../shared/storage/workflow/dynamo-workflow-store.ts";
import { machineKey, poolKey, workflowKey } from "../../../shared/storage/table/keys.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { dueStoreSuite } from "../../support/ports/due-store.suite.ts";
import { idempotencyStoreSuite } from "../../support/ports/idempotency-store.suite.ts";
import { connectionStoreSuite } from "../../support/ports/connection-store.suite.ts";
import { machineStoreSuite } from "../../support/ports/machine-store.suite.ts";
import { membershipStoreSuite } from "../../support/ports/membership-store.suite.ts";
import { poolSearchRowsMaxInSuite, poolStoreSuite } from "../../support/ports/pool-store.suite.ts";
import { runListSuite } from "../../support/ports/run-list.suite.ts";
import { runStoreSuite } from "../../support/ports/run-store.suite.ts";
import { tagStoreSuite } from "../../support/ports/tag-store.suite.ts";
import { workflowStoreSuite, searchRowsMaxInSuite } from "../../support/ports/workflow-store.suite.ts";

const required = { workflow: workflowKey, machine: machineKey, pool: poolKey };
const { client } = new DynamoModel();

function create(searchRowsMax: number, clock: Clock = new FakeClock()) {
  const table = new DynamoTable({ client, tableName: "model", clock });
  const stored = { table, clock };
  return {
    machines: new DynamoMachineStore(stored),
    connections: new DynamoConnectionStore({ table }),
    due: new DynamoDueStore({ table }),
    memberships: new DynamoMembershipStore({ table, clock }),
    pools: new DynamoPoolStore({ ...stored, searchRowsMax }),
    runs: new DynamoRunStore({ ...stored, searchRowsMax }),
    workflows: new DynamoWorkflowStore({ ...stored, searchRowsMax }),
    tags: new DynamoTagStore(stored),
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    putRequired: async (what: keyof typeof required, organizationId: string, id: string) => {
      await table.put({ ...required[what](organizationId, id), kind: what });
    },
    putRun: async (run: Parameters<typeof runItem>[0]) => {
      await table.transact([{ kind: "put", item: runItem(run) }, countWrite("RUN", run, 1)]);
    },
  };
}

// What these suites find of the adapters on DynamoDB Local they must find of them on the model.
describe("on the model of DynamoDB", () => {
  idempotencyStoreSuite((clock) => create(10_000, clock).idempotencyRecords);
  machineStoreSuite(() => create(10_000));
  connectionStoreSuite(() => create(10_000));
  membershipStoreSuite(() => create(10_000));
  dueStoreSuite(() => create(10_000));
  poolStoreSuite(() => create(poolSearchRowsMaxInSuite));
  workflowStoreSuite(() => create(searchRowsMaxInSuite));
  tagStoreSuite(() => create(10_000));
  runStoreSuite(() => create(10_000));
  runListSuite(() => create(5));
});
