import type { Clock, Ids } from "../clock.ts";
import type { ExecutionStarter } from "../durable/durable.ts";
import type { Logger } from "../logger.ts";
import type { ModelConfigurationStore } from "../model-configuration/model-configuration-store.ts";
import type { RunStore } from "../run/run-store.ts";
import type { SpillDeps } from "../spill.ts";
import type { InputChecker } from "../workflow/input-checker.ts";
import type { Share } from "./match-round.ts";
import type { MatchStore } from "./match-store.ts";
import type { ServicePlaces } from "./service-places.ts";

export interface MatchDeps extends SpillDeps {
  readonly matches: MatchStore;
  readonly runs: Pick<RunStore, "update">;
  readonly modelConfigurations: Pick<ModelConfigurationStore, "findMany">;
  readonly checker: Pick<InputChecker, "check">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly starter: ExecutionStarter;
  /** @default none: the executions of all organizations have no limit */
  readonly servicePlaces?: ServicePlaces | undefined;
  readonly share?: Share | undefined;
}
