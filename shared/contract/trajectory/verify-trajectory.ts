import * as z from "zod";
import { Uuid } from "../fields/common.ts";
import { refusing } from "../fields/exclusions.ts";
import { Parameters, SensitiveParameters } from "../fields/parameters.ts";
import { Run } from "../run/run.ts";
import { PoolIds, requireOneTarget, twoTargets } from "../run/run-bodies.ts";

/** How a trajectory is verified; an empty body replays the recording's own inputs wherever a machine is free. */
export const VerifyTrajectoryBody = z
  .strictObject({
    machine_id: Uuid.optional(),
    pool_ids: PoolIds.optional(),
    input_values: Parameters.optional().describe(
      "Stand above original_input_values. The trajectory is verified by a success with at least one that differs.",
    ),
    sensitive_input_values: SensitiveParameters.optional(),
    dry_run_until: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe(
        "Index of the element before which it stops, counted from 0 as in trajectory_data, so that it is the number of elements that are done (sentences and progress count elements from 1). The run is a success then, without judging what was done. Verifies nothing.",
      ),
  })
  .superRefine(requireOneTarget)
  .meta(refusing(...twoTargets))
  .prefault({});
export type VerifyTrajectoryBody = z.infer<typeof VerifyTrajectoryBody>;

export const VerificationCreated = z.strictObject({
  run: Run,
  warning: z.string().describe("What the run does to the desktop, in a sentence."),
  warnings: z
    .array(z.string())
    .describe(
      "What the verification cannot show, in sentences: inputs of the recording that no element names.",
    ),
});
export type VerificationCreated = z.infer<typeof VerificationCreated>;
