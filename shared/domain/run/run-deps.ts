import type { Clock, Ids } from "../clock.ts";
import type { FileStore } from "../file-store.ts";
import type { IdempotencyStore } from "../idempotency/idempotency.ts";
import type { Logger } from "../logger.ts";
import type { ModelConfigurationStore } from "../model-configuration/model-configuration-store.ts";
import type { RequireInputsDeps } from "./inputs/require-inputs.ts";
import type { RunStore } from "./run-store.ts";

export interface RunDeps extends RequireInputsDeps {
  readonly runs: RunStore;
  readonly modelConfigurations: Pick<ModelConfigurationStore, "findMany">;
  readonly files: FileStore;
  readonly idempotencyRecords: IdempotencyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}
