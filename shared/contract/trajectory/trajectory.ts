import * as z from "zod";
import { trajectoryBytesMax } from "../../vocabulary/trajectories.ts";
import {
  createdQuery,
  fieldsQuery,
  includeQuery,
  listOf,
  OrganizationId,
  omittedFields,
  pageQuery,
  Uuid,
  updatedQuery,
} from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { jsonArray, jsonObject } from "../fields/json-value.ts";
import { anyOf, queryBoolean } from "../fields/query-values.ts";
import { name, text } from "../fields/text.ts";
import { IncludedWorkflow } from "../workflow.ts";
import { DisplayDimensions, ScreenPiece, TrajectoryCheck, TrajectoryScreens } from "./trajectory-element.ts";

const originalInputsBytesMax = 65_536;

const TrajectoryData = jsonArray(trajectoryBytesMax)
  .min(1)
  .describe(
    "The recorded actions in order, each any JSON value while the trajectory is not approved. Of an approved one that the service replays, each is an object that it can replay.",
  );

const describedFields = {
  expect: TrajectoryScreens.shape.expect
    .unwrap()
    .optional()
    .describe("Pieces of the recorded screen that the last screen of a replay has to show. Default: none."),
  checks: TrajectoryScreens.shape.checks
    .unwrap()
    .optional()
    .describe("Checks of a replay's result, besides the last screen. Default: none."),
  reset: TrajectoryScreens.shape.reset
    .unwrap()
    .optional()
    .describe(
      "Elements that lead back to the screen on which the first one of trajectory_data is performed: if that is not seen within 2 s, those of them are performed whose own screen is seen. Default: none.",
    ),
  dimensions: DisplayDimensions.nullable()
    .optional()
    .describe("Size of the display that the trajectory was recorded on. Default null: unknown."),
  name: name(0, 255).optional().describe("The trajectory's name, for people. Default: empty."),
  description: text(0, 1_000).optional().describe("The trajectory's purpose, for people. Default: empty."),
  is_approved: z
    .boolean()
    .optional()
    .describe(
      "Whether runs may replay the trajectory. True is refused where the service carries out the workflow's runs and could not replay an element of trajectory_data or reset, or show a piece. Default false.",
    ),
  original_input_values: jsonObject(originalInputsBytesMax)
    .nullable()
    .optional()
    .describe("The recorded run's inputs, by name. Default null: unknown."),
};

export const CreateTrajectoryBody = z
  .strictObject({
    workflow_id: Uuid.describe("The workflow that the trajectory replays."),
    run_id: Uuid.optional().describe(
      "A run of the workflow that the trajectory was made from. Default: none.",
    ),
    trajectory_data: TrajectoryData,
    ...describedFields,
  })
  .describe("A recorded sequence of actions that replays a workflow.");
export type CreateTrajectoryBody = z.infer<typeof CreateTrajectoryBody>;

export const UpdateTrajectoryBody = z
  .strictObject({
    trajectory_data: TrajectoryData.optional(),
    is_main: z
      .boolean()
      .optional()
      .describe(
        "Whether the workflow's runs replay this trajectory, which must be approved; true takes the place of the main one.",
      ),
    ...describedFields,
  })
  .describe("Changes of a trajectory: only the fields provided are changed, each as a whole.");
export type UpdateTrajectoryBody = z.infer<typeof UpdateTrajectoryBody>;

const include = includeQuery("workflow").optional();

export const TrajectoryQuery = z.strictObject({ include });

export const Trajectory = z
  .strictObject({
    id: z.uuid().describe("The trajectory's id."),
    workflow_id: z
      .guid()
      .describe("The workflow that the trajectory replays; the id stays when the workflow is deleted."),
    organization_id: OrganizationId.describe("The organization that the trajectory belongs to."),
    user_id: z.guid().describe("The user whose API key or session created the trajectory."),
    name: example(z.string(), "Opens the shop").describe("The trajectory's name, for people."),
    description: z.string().describe("The trajectory's purpose, for people."),
    dimensions: DisplayDimensions.nullable().describe(
      "Size of the display that the trajectory was recorded on; null while that is unknown.",
    ),
    is_approved: z.boolean().describe("Whether runs may replay the trajectory."),
    has_been_approved: z.boolean().describe("Whether the trajectory is approved, or was once."),
    is_main: z
      .boolean()
      .describe("Whether the workflow's runs replay this trajectory; a workflow has at most one such."),
    verified_at: z.iso
      .datetime()
      .nullable()
      .describe(
        "Time at which a run had replayed the trajectory with inputs other than `original_input_values`; null until then, and after a change of what is replayed.",
      ),
    is_generated: z
      .boolean()
      .describe("True for every trajectory that has its data; `run_id` says whether it was made from a run."),
    run_id: z
      .guid()
      .nullable()
      .describe("The run that the trajectory was made from; null for one that was sent in without it."),
    original_input_values: example(z.record(z.string(), z.unknown()).nullable(), {
      customer: "Miller",
    }).describe("The inputs of the run that was recorded, by name; null while they are unknown."),
    trajectory_data: example(z.array(z.unknown()).nullable(), [
      { action: { type: "click", x: 640, y: 480, target: "the field Customer" } },
    ]).describe(
      "The recorded actions, each any JSON value. Null only in a replayed response about a trajectory that is gone since.",
    ),
    expect: z
      .array(ScreenPiece)
      .nullable()
      .describe(
        "Pieces of the recorded screen that the last screen of a replay has to show; null if trajectory_data is.",
      ),
    checks: z
      .array(TrajectoryCheck)
      .nullable()
      .describe("Checks of a replay's result, besides the last screen; null if trajectory_data is."),
    reset: example(z.array(z.unknown()).nullable(), []).describe(
      "Elements that lead back to the first recorded screen; null if trajectory_data is.",
    ),
    created_at: z.iso.datetime().describe("Time at which the trajectory was created."),
    updated_at: z.iso.datetime().describe("Time at which the trajectory was last changed."),
  })
  .describe("A recorded sequence of actions that replays a workflow.");
export type Trajectory = z.infer<typeof Trajectory>;

export const WrittenTrajectory = Trajectory.extend({
  warnings: example(z.array(z.string()).optional(), ["this trajectory checks nothing of its end"]).describe(
    "Sentences about what may be wrong with the trajectory; present in the response to an approval, and if it was made from a run.",
  ),
}).describe("A trajectory, with warnings about its approval.");
export type WrittenTrajectory = z.infer<typeof WrittenTrajectory>;

export const TrajectoryResponse = Trajectory.extend({
  included: z
    .array(IncludedWorkflow)
    .optional()
    .describe("The trajectory's workflow; present when `include` names it."),
}).describe("A trajectory, with the related resources requested.");
export type TrajectoryResponse = z.infer<typeof TrajectoryResponse>;

export const TrajectoryField = Trajectory.keyof().describe("The name of a field of a trajectory.");
export type TrajectoryField = z.infer<typeof TrajectoryField>;

export const TrajectoryItem = Trajectory.partial()
  .required({
    id: true,
    workflow_id: true,
    is_approved: true,
    created_at: true,
  })
  .extend({ omitted_fields: omittedFields(TrajectoryField) })
  .describe(
    "A trajectory in a list: all fields but those in `omitted_fields`, or the `fields` that the request names.",
  );
export type TrajectoryItem = z.infer<typeof TrajectoryItem>;

export const TrajectoryList = listOf(TrajectoryItem, IncludedWorkflow).describe(
  "A page of trajectories, newest first.",
);
export type TrajectoryList = z.infer<typeof TrajectoryList>;

export const TrajectoriesQuery = z.strictObject({
  ...pageQuery,
  include,
  workflow_id: anyOf(Uuid, "Only trajectories of this workflow are listed."),
  run_id: anyOf(Uuid, "Only trajectories that were made from this run are listed."),
  is_approved: queryBoolean
    .optional()
    .describe("Only approved trajectories are listed, or with false only the others."),
  is_generated: queryBoolean
    .optional()
    .describe("All trajectories are listed, since each of them has its data, or with false none."),
  ...createdQuery,
  ...updatedQuery,
  search: example(text(1, 255).optional(), "shop").describe(
    "Only trajectories with this text in id, name or description are listed, ignoring case.",
  ),
  fields: fieldsQuery(TrajectoryField)
    .optional()
    .describe(
      "Only these fields, with id, workflow_id, is_approved and created_at, are in each trajectory; the parameter is repeated for each.",
    ),
});
export type TrajectoriesQuery = z.infer<typeof TrajectoriesQuery>;
