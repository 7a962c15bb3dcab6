import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryTagStore } from "../../support/fakes/in-memory-tag-store.ts";
import { InMemoryWorkflowStore } from "../../support/fakes/in-memory-workflow-store.ts";
import { searchRowsMaxInSuite, workflowStoreSuite } from "../../support/ports/workflow-store.suite.ts";

workflowStoreSuite(() => {
  const claims = new InMemoryClaimStore(new FakeClock());
  const workflows = new InMemoryWorkflowStore(claims, searchRowsMaxInSuite);
  return { workflows, claims, tags: new InMemoryTagStore(claims, workflows) };
});
