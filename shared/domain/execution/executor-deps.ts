import type { AttachmentStore } from "../attachment/attachment-store.ts";
import type { Clock, Ids } from "../clock.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { ExecutionStarter } from "../durable/durable.ts";
import type { Encryption } from "../encryption.ts";
import type { FileStore } from "../file-store.ts";
import type { Logger } from "../logger.ts";
import type { LanguageModels } from "../model/language-models.ts";
import type { ProviderKeys } from "../model/provider-key.ts";
import type { ChooseModels } from "../model-selection/chosen-models.ts";
import type { PictureCodec } from "../picture/picture-codec.ts";
import type { PromptImageStore } from "../prompt-image/prompt-image-store.ts";
import type { InheritedSecretDeps } from "../run/inputs/inherited-secret-values.ts";
import type { RunStore } from "../run/run-store.ts";
import type { WaitingView } from "../run/waiting/waiting-view.ts";
import type { OneTimeCodes } from "../secrets/one-time-codes.ts";
import type { TrajectoryReader } from "../trajectory/trajectory-reader.ts";
import type { TrajectoryStore } from "../trajectory/trajectory-store.ts";
import type { InputChecker } from "../workflow/input-checker.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { Execution } from "./execution.ts";
import type { ExecutionStore } from "./execution-store.ts";

export interface ExecutorDeps extends InheritedSecretDeps {
  readonly executions: ExecutionStore;
  readonly runs: Pick<RunStore, "find" | "update" | "reschedule" | "readSecret">;
  readonly waitingView: Pick<WaitingView, "members">;
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly promptImages: Pick<PromptImageStore, "findMany">;
  readonly trajectories: Pick<TrajectoryStore, "find" | "findMain" | "updateAsRead" | "create">;
  readonly trajectoryReader: TrajectoryReader;
  readonly attachments: Pick<AttachmentStore, "find" | "create">;
  readonly attachmentDays: number;
  readonly files: FileStore;
  readonly encryption: Encryption;
  /** @default none: no run can use a model */
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

export interface ModelDeps {
  readonly languageModels: LanguageModels;
  readonly providerKeys: ProviderKeys;
  readonly choose: ChooseModels;
}
