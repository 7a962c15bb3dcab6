import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoTrajectoryStore } from "../../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWorkflowStore } from "../../../shared/storage/workflow/dynamo-workflow-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import {
  trajectorySearchRowsMaxInSuite,
  trajectoryStoreSuite,
} from "../../support/ports/trajectory-store.suite.ts";

const table = useTable();

trajectoryStoreSuite(() => {
  const clock = new FakeClock();
  const dynamo = table().at(clock);
  return {
    trajectories: new DynamoTrajectoryStore({
      ...{ table: dynamo, clock },
      searchRowsMax: trajectorySearchRowsMaxInSuite,
    }),
    workflows: new DynamoWorkflowStore({ table: dynamo, clock }),
    idempotencyRecords: new DynamoIdempotencyStore({ table: dynamo, clock }),
  };
});
