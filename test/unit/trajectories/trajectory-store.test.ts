import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryClaimStore } from "../../support/fakes/in-memory-claim-store.ts";
import { InMemoryTrajectoryStore } from "../../support/fakes/in-memory-trajectory-store.ts";
import { InMemoryWorkflowStore } from "../../support/fakes/in-memory-workflow-store.ts";
import {
  trajectorySearchRowsMaxInSuite,
  trajectoryStoreSuite,
} from "../../support/ports/trajectory-store.suite.ts";

trajectoryStoreSuite(() => {
  const claims = new InMemoryClaimStore(new FakeClock());
  const workflows = new InMemoryWorkflowStore(claims);
  const trajectories = new InMemoryTrajectoryStore(claims, workflows, trajectorySearchRowsMaxInSuite);
  return { trajectories, workflows, claims };
});
