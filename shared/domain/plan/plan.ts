import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { JsonObject } from "../json.ts";
import type { ModelChoice } from "../model/model-choice.ts";
import type { ChosenModels } from "../model-selection/choose-models.ts";
import type { PromptImage } from "../prompt-image/prompt-image.ts";
import type { ReplayableTrajectory } from "../trajectory/trajectory-element.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { RunFiles } from "./run-files.ts";

/** An image that the prompt names: gone where the organization does not have it, or one too many. */
export interface PlannedImage extends Pick<PromptImage, "id"> {
  readonly shown: Pick<PromptImage, "key" | "contentType"> | "gone" | "too_many";
}

export interface PlannedModel extends Pick<ChosenModels, "prompt" | "maxTokens"> {
  /** The main one, then the fallbacks. */
  readonly choices: readonly ModelChoice[];
  readonly images: readonly PlannedImage[];
  readonly programs: readonly string[];
}

/** A run's workflow, trajectory and inputs, pinned at its start: later changes of them do not matter to it. */
export interface Plan {
  readonly workflow: Pick<
    Workflow,
    "id" | "outputSchema" | "allowShell" | "keepScreenshots" | "maxSteps" | "maxDurationSeconds"
  >;
  readonly notReplayed?: string | undefined;
  readonly trajectoryId: string | null;
  /** The trajectory that the run's success verifies; null for every other run. */
  readonly verifies: {
    readonly content: string;
  } | null;
  /** The trajectory is replayed so often in a row. */
  readonly rounds?: number;
  readonly leave?: Workflow["leave"];
  /** Ends after the elements that it has, without judging what was done. */
  readonly isDryRun: boolean;
  readonly trajectory: ReplayableTrajectory;
  readonly model: PlannedModel | null;
  readonly inputValues: JsonObject;
  readonly files: RunFiles;
  /** Names of the secrets that it can fill in: the prompt or the trajectory names them. */
  readonly aliases: readonly string[];
  readonly attempt: number;
  readonly stepsBefore: number;
  /** Each round has the run's max_duration_seconds, in milliseconds since the epoch. */
  readonly endsAtMs: number;
}

/** A run that cannot be carried out ends with these words, which a person can act on. */
export interface Refusal {
  readonly kind: "refused";
  readonly errorCode: RunErrorCode;
  readonly error: string;
}

export function refusal(errorCode: RunErrorCode, error: string): Refusal {
  return { kind: "refused", errorCode, error };
}
