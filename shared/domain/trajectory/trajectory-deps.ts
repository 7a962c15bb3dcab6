import type { Clock, Ids } from "../clock.ts";
import type { LeaseDeps } from "../idempotency/with-lease.ts";
import type { SpillDeps } from "../spill.ts";
import type { JudgeDeps } from "./approval/judge-approval.ts";
import type { TrajectoryStore } from "./trajectory-store.ts";

export interface TrajectoryDeps extends LeaseDeps, SpillDeps, JudgeDeps {
  readonly trajectories: TrajectoryStore;
  readonly clock: Clock;
  readonly ids: Ids;
}
