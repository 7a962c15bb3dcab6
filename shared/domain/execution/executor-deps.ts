import type { AttachmentStore } from "../attachment/attachment-store.ts";
import type { Clock, Ids } from "../clock.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { ExecutionStarter } from "../durable/durable.ts";
import type { Encryption } from "../encryption.ts";
import type { FileStore } from "../file-store.ts";
import type { Logger } from "../logger.ts";
import type { LanguageModels } from "../model/language-models.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { PlanDeps } from "../plan/make-plan.ts";
import type { ChooseModelDeps } from "../plan/plan-model.ts";
import type { HoldStore } from "../run/hold/hold-store.ts";
import type { InheritedSecretDeps } from "../run/inputs/inherited-secret-values.ts";
import type { RunStore } from "../run/run-store.ts";
import type { WaitingView } from "../run/waiting/waiting-view.ts";
import type { OneTimeCodes } from "../secrets/one-time-codes.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import type { InputChecker } from "../workflow/input-checker.ts";
import type { Execution } from "./execution.ts";
import type { ExecutionStore } from "./execution-store.ts";

export interface ExecutorDeps extends InheritedSecretDeps, PlanDeps {
  readonly executions: ExecutionStore;
  readonly runs: Pick<RunStore, "find" | "update" | "reschedule" | "readSecret">;
  readonly holds: HoldStore;
  readonly waitingView: Pick<WaitingView, "members">;
  readonly trajectories: Pick<TrajectoryStore, "find" | "findMain" | "updateAsRead" | "create">;
  readonly attachments: Pick<AttachmentStore, "find" | "create">;
  readonly attachmentDays: number;
  readonly files: FileStore;
  readonly encryption: Encryption;
  readonly models?: ModelDeps;
  readonly pictures: PictureCodec;
  readonly outputChecker: Pick<InputChecker, "check">;
  readonly codes: OneTimeCodes;
  readonly starter: ExecutionStarter;
  readonly openDesktop: (execution: Execution) => Desktop;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface ModelDeps extends ChooseModelDeps {
  readonly languageModels: LanguageModels;
}
