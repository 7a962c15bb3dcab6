import type { AttachmentStore } from "../../attachment/attachment-store.ts";
import type { Clock, Ids } from "../../clock.ts";
import type { Encryption } from "../../encryption.ts";
import type { FileStore } from "../../file-store.ts";
import type { Json } from "../../json.ts";
import type { Logger } from "../../logger.ts";
import type { LanguageModels } from "../../model/language-models.ts";
import type { ProviderKeys } from "../../model/provider-key.ts";
import type { ChooseModels } from "../../model-selection/chosen-models.ts";
import type { PictureCodec } from "../../picture/picture-codec.ts";
import type { Plan } from "../../plan/plan.ts";
import type { PromptImageStore } from "../../prompt-image/prompt-image-store.ts";
import type { InheritedSecretDeps } from "../../run/inputs/inherited-secret-values.ts";
import type { RunStore } from "../../run/run-store.ts";
import type { WaitingView } from "../../run/waiting/waiting-view.ts";
import type { StepTrail } from "../../run-step/run-step.ts";
import type { SecretValues } from "../../secret-store.ts";
import type { TrajectoryReader } from "../../trajectory/trajectory-reader.ts";
import type { TrajectoryStore } from "../../trajectory/trajectory-store.ts";
import type { InputChecker } from "../../workflow/input-checker.ts";
import type { WorkflowStore } from "../../workflow/workflow-store.ts";
import type { Desktop } from "../desktop.ts";
import type { Durable, ExecutionStarter } from "../durable.ts";
import type { Execution, ExecutionJob } from "../execution.ts";
import type { ExecutionStore } from "../execution-store.ts";
import type { ConversationMemory, StoredPicture } from "../model/exchange.ts";
import type { OneTimeCodes } from "../one-time-codes.ts";
import type { StillScreen } from "../screen/dead-end.ts";
import type { Screen } from "./screen.ts";

export interface ExecutorDeps extends InheritedSecretDeps {
  readonly executions: ExecutionStore;
  readonly runs: Pick<RunStore, "find" | "update" | "reschedule" | "readSecret">;
  readonly waitingView: Pick<WaitingView, "members">;
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly promptImages: Pick<PromptImageStore, "findMany">;
  readonly trajectories: Pick<TrajectoryStore, "find" | "findMain" | "updateAsRead" | "create">;
  readonly trajectoryReader: TrajectoryReader;
  readonly attachments: Pick<AttachmentStore, "find" | "create">;
  /** For which output attachments are kept. */
  readonly attachmentDays: number;
  readonly files: FileStore;
  readonly encryption: Encryption;
  /** @default none: no run goes by a model */
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

/** What an invocation keeps between steps; all of it can be had again. */
export interface Invocation {
  readonly deps: ExecutorDeps;
  readonly job: ExecutionJob;
  readonly durable: Pick<Durable, "arn" | "remainingMs">;
  readonly desktop: Desktop;
  readonly plan: Plan;
  readonly saved: Map<string, Json>;
  /** After the last step. */
  trail: StepTrail;
  /** The latest one; undefined where it has to be taken anew. */
  screen: Screen | undefined;
  /** Of the wait for the first recorded screen, while the reset helps it: the next wait goes on with it. */
  still?: StillScreen | undefined;
  /** Of its picture in the bucket. */
  pictureKey: string | null;
  /** What was put there, or read, last. */
  stored?: StoredPicture;
  /** The step before, or the execution's beginning, was of this invocation: what follows was never tried. */
  isContinuation: boolean;
  /** A wait ended the invocation before. */
  hasWaited: boolean;
  /** Of the step under way, as counted; 0 where none was. */
  tries: number;
  /** Those of them that failed and said so. */
  failures: number;
  /** While its desktop is led back after its last step: in milliseconds since the epoch. */
  leavesUntilMs?: number | undefined;
  /** When the run was seen to be this execution's, last. */
  oursAtMs?: number;
  /** Values, once they were needed. */
  secrets: SecretValues | undefined;
  /** With a model, once one was asked. */
  conversation?: ConversationMemory;
}

export const noTrail: StepTrail = { element: null, movedBy: { dx: 0, dy: 0 }, masks: [], painted: [] };
