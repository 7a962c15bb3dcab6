import type { Row } from "../smoke/run-smoke.ts";
import type { CheckedVersion } from "./check-versions.ts";

/** Source: https://docs.aws.amazon.com/codedeploy/latest/userguide/reference-appspec-file-structure-hooks.html */
interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

export interface SyntheticParts {
  readonly runSmallest: (report: (row: Row) => void) => Promise<void>;
  readonly failedVersions: () => Promise<readonly CheckedVersion[]>;
  readonly tellCodeDeploy: (hook: HookEvent, status: "Succeeded" | "Failed") => Promise<unknown>;
  /** A step's outcome is a line of its own in the function's log. */
  readonly log: (message: string, fields: object) => void;
}

/**
 * CodeDeploy's event is answered with a verdict; any other, as the timer's, is a run.
 *
 * @throws what failed of a run, or of telling CodeDeploy.
 */
export async function handleEvent(event: unknown, parts: SyntheticParts): Promise<void> {
  if (!isHook(event)) {
    await parts.runSmallest((row) => parts.log("step", row));
    return;
  }
  let status: "Succeeded" | "Failed" = "Failed";
  try {
    const failed = await parts.failedVersions();
    for (const version of failed) parts.log("version refused", version);
    if (failed.length === 0) status = "Succeeded";
  } catch (error) {
    // The alarm counts the runs that failed, so a refused release is no error of the function.
    parts.log("no version could be tried: refused", { why: error instanceof Error ? error.message : error });
  }
  // A release without a verdict waits until CodeDeploy gives up.
  await parts.tellCodeDeploy(event, status);
}

function isHook(event: unknown): event is HookEvent {
  return typeof event === "object" && event !== null && "LifecycleEventHookExecutionId" in event;
}
