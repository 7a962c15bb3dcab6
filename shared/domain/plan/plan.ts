import type { RunErrorCode } from "../../vocabulary/run-error-codes.ts";
import type { JsonObject } from "../json.ts";
import type { ModelChoice } from "../model/model-choice.ts";
import type { ChosenModels } from "../model-selection/choose-models.ts";
import type { PromptImage } from "../prompt-image/prompt-image.ts";
import type { ReplayableTrajectory } from "../trajectory/trajectory-element.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { RunFiles } from "./run-files.ts";

/** An image that the prompt names, or the sign that the organization lacks it or that it is above the limit. */
export interface PlannedImage extends Pick<PromptImage, "id"> {
  readonly shown: Pick<PromptImage, "key" | "contentType"> | "gone" | "too_many";
}

export interface PlannedModel extends Pick<ChosenModels, "prompt" | "maxTokens"> {
  /** The main choice, then the fallbacks. */
  readonly choices: readonly ModelChoice[];
  readonly images: readonly PlannedImage[];
  readonly programs: readonly string[];
}

/** A run's workflow, trajectory and inputs, pinned at its start; later changes of them do not affect it. */
export interface Plan {
  readonly workflow: Pick<
    Workflow,
    "id" | "outputSchema" | "allowShell" | "keepScreenshots" | "maxSteps" | "maxDurationSeconds"
  > &
    // Plans of an earlier release have no such fields.
    Partial<Pick<Workflow, "onHoldTimeout" | "mayAsk">>;
  readonly notReplayed?: string | undefined;
  readonly trajectoryId: string | null;
  /** The trajectory that the run's success verifies; null for every other run. */
  readonly verifies: {
    readonly content: string;
  } | null;
  /** The number of times that the trajectory is replayed in a row. */
  readonly rounds?: number;
  readonly leave?: Workflow["leave"];
  /** A dry run ends after its elements, without judging the outcome. */
  readonly isDryRun: boolean;
  readonly trajectory: ReplayableTrajectory;
  readonly model: PlannedModel | null;
  readonly inputValues: JsonObject;
  readonly files: RunFiles;
  /** Aliases of the secrets that the prompt or the trajectory names. */
  readonly aliases: readonly string[];
  readonly attempt: number;
  readonly stepsBefore: number;
  /** Each round has the run's max_duration_seconds, in milliseconds since the epoch. */
  readonly endsAtMs: number;
}

/** A run that cannot be carried out ends with this error, which tells a person what to do. */
export interface Refusal {
  readonly kind: "refused";
  readonly errorCode: RunErrorCode;
  readonly error: string;
}

export function noPlan(errorCode: RunErrorCode, error: string): Refusal {
  return { kind: "refused", errorCode, error };
}
