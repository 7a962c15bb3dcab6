import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryTagStore } from "../../support/fakes/in-memory-tag-store.ts";
import { InMemoryWorkflowStore } from "../../support/fakes/in-memory-workflow-store.ts";
import { searchRowsMaxInSuite, workflowStoreSuite } from "../../support/ports/workflow-store.suite.ts";

workflowStoreSuite(() => {
  const idempotencyRecords = new InMemoryIdempotencyStore(new FakeClock());
  const workflows = new InMemoryWorkflowStore(idempotencyRecords, searchRowsMaxInSuite);
  return { workflows, idempotencyRecords, tags: new InMemoryTagStore(idempotencyRecords, workflows) };
});
