import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { InMemoryIdempotencyStore } from "../../support/fakes/in-memory-idempotency-store.ts";
import { InMemoryTrajectoryStore } from "../../support/fakes/in-memory-trajectory-store.ts";
import { InMemoryWorkflowStore } from "../../support/fakes/in-memory-workflow-store.ts";
import {
  trajectorySearchRowsMaxInSuite,
  trajectoryStoreSuite,
} from "../../support/ports/trajectory-store.suite.ts";

trajectoryStoreSuite(() => {
  const idempotencyRecords = new InMemoryIdempotencyStore(new FakeClock());
  const workflows = new InMemoryWorkflowStore(idempotencyRecords);
  const trajectories = new InMemoryTrajectoryStore(
    idempotencyRecords,
    workflows,
    trajectorySearchRowsMaxInSuite,
  );
  return { trajectories, workflows, idempotencyRecords };
});
