import * as z from "zod";
import { Uuid } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { refusing } from "../fields/exclusions.ts";
import { Parameters, SensitiveParameters } from "../fields/parameters.ts";
import { Run } from "../run/run.ts";
import { PoolIds, requireOneTarget, twoTargets } from "../run/run-bodies.ts";

export const VerifyTrajectoryBody = z
  .strictObject({
    machine_id: Uuid.optional().describe(
      "The machine that the run waits for. Default: any, or one that is in all `pool_ids`.",
    ),
    pool_ids: PoolIds.optional().describe(
      "Pools that the run's machine must be in, all of them; in place of `machine_id`.",
    ),
    input_values: Parameters.optional().describe(
      "Inputs by name, which override original_input_values. A success with at least one that differs verifies the trajectory. One that differs is refused where an element types text that stood on the recorded screen.",
    ),
    sensitive_input_values: SensitiveParameters.optional().describe(
      "The run's secret inputs, by alias; they are never returned.",
    ),
    dry_run_until: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe(
        "Index of the element before which the run stops, counted from 0 as in trajectory_data, so that it is the number of elements that are performed (sentences and progress count from 1). The run is a success then, without judging what was done, and verifies nothing. Default: it does not stop.",
      ),
  })
  .superRefine(requireOneTarget)
  .meta(refusing(...twoTargets))
  .prefault({})
  .describe(
    "The inputs and the machine of a verification; an empty body replays the recording's own inputs on any machine that is free.",
  );
export type VerifyTrajectoryBody = z.infer<typeof VerifyTrajectoryBody>;

export const VerificationCreated = z
  .strictObject({
    run: Run.describe("The run, which waits for a machine."),
    warning: example(z.string(), "It does the work again, on the desktop that it gets.").describe(
      "A sentence about what the run does to the desktop.",
    ),
    warnings: example(z.array(z.string()), []).describe(
      "Sentences about what cannot be shown: inputs of the recording that no element names.",
    ),
  })
  .describe("The run that verifies a trajectory.");
export type VerificationCreated = z.infer<typeof VerificationCreated>;
