import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoTagStore } from "../../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { DynamoWorkflowStore } from "../../../shared/storage/workflow/dynamo-workflow-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { tagStoreSuite } from "../../support/ports/tag-store.suite.ts";
import { taggingSuite } from "../../support/ports/tagging.suite.ts";

const tableOf = useTable();

function create() {
  const clock = new FakeClock();
  const table = tableOf().at(clock);
  return {
    workflows: new DynamoWorkflowStore({ table, clock }),
    tags: new DynamoTagStore({ table, clock }),
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
  };
}

tagStoreSuite(create);
taggingSuite(create, { runs: 25 });
