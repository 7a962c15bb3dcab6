import * as z from "zod";
import {
  createdQuery,
  fieldsQuery,
  includeQuery,
  listOf,
  omittedFields,
  pageQuery,
  Uuid,
  updatedQuery,
} from "../fields/common.ts";
import { jsonArray, jsonObject } from "../fields/json-value.ts";
import { queryBoolean } from "../fields/query-values.ts";
import { text } from "../fields/text.ts";
import { IncludedWorkflow } from "../workflow.ts";
import { DisplayDimensions, ScreenPiece, TrajectoryCheck, TrajectoryScreens } from "./trajectory-element.ts";

/** Largest trajectory_data, in bytes of JSON: inside the limits of one request and one response. */
const trajectoryBytesMax = 4_194_304;

/** Largest original_input_values, in bytes of JSON. */
const originalInputsBytesMax = 65_536;

const TrajectoryData = jsonArray(trajectoryBytesMax)
  .min(1)
  .describe(
    "The recorded actions in their order, each any JSON value; at most 4,194,304 bytes of JSON in all.",
  );

const { expect, checks, reset } = TrajectoryScreens.shape;

const describedFields = {
  expect: expect
    .unwrap()
    .optional()
    .describe("What the last screen of a replay shows: pieces of the recorded one."),
  checks: checks.unwrap().optional().describe("What a replay's result is judged by besides."),
  reset: reset
    .unwrap()
    .optional()
    .describe(
      "Elements that lead back to the screen on which the first one of trajectory_data is done: where that is not seen within 2 s, those of them are done whose own screen is seen. At most 524,288 bytes of JSON.",
    ),
  dimensions: DisplayDimensions.nullable()
    .optional()
    .describe("Size in pixels of the display that it was recorded on."),
  name: text(0, 255).optional(),
  description: text(0, 1_000).optional(),
  is_approved: z.boolean().optional(),
  original_input_values: jsonObject(originalInputsBytesMax)
    .nullable()
    .optional()
    .describe("Inputs of the run that it was recorded from; at most 65,536 bytes of JSON."),
};

export const CreateTrajectoryBody = z.strictObject({
  workflow_id: Uuid,
  trajectory_data: TrajectoryData,
  ...describedFields,
});
export type CreateTrajectoryBody = z.infer<typeof CreateTrajectoryBody>;

/** Only the fields provided are changed; trajectory_data is replaced as a whole. */
export const UpdateTrajectoryBody = z.strictObject({
  trajectory_data: TrajectoryData.optional(),
  is_main: z
    .boolean()
    .optional()
    .describe("Whether the workflow's runs go by it; true unsets the other one. An approved one only."),
  ...describedFields,
});
export type UpdateTrajectoryBody = z.infer<typeof UpdateTrajectoryBody>;

export const TrajectoryPath = z.strictObject({ trajectory_id: Uuid });

const include = includeQuery("workflow").optional();

export const TrajectoryQuery = z.strictObject({ include });

export const Trajectory = z.strictObject({
  id: z.uuid(),
  workflow_id: z.guid().describe("Stays when the workflow is deleted."),
  organization_id: z.string(),
  user_id: z.guid(),
  name: z.string(),
  description: z.string(),
  dimensions: DisplayDimensions.nullable(),
  is_approved: z.boolean(),
  has_been_approved: z.boolean().describe("Is, or was once."),
  is_main: z.boolean().describe("The one of its workflow that runs go by."),
  verified_at: z.iso
    .datetime()
    .nullable()
    .describe(
      "When a run has replayed it with other inputs than original_input_values; null until then, and after a change of what is replayed.",
    ),
  is_generated: z.boolean().describe("Made by the service of a run's steps."),
  run_id: z.guid().nullable().describe("The run that it was made of; null for one that was sent in."),
  original_input_values: z.record(z.string(), z.unknown()).nullable(),
  trajectory_data: z
    .array(z.unknown())
    .nullable()
    .describe(
      "The recorded actions. Null only in a replayed response about a trajectory that is gone since.",
    ),
  expect: z
    .array(ScreenPiece)
    .nullable()
    .describe("What the last screen of a replay shows. Null as trajectory_data is."),
  checks: z
    .array(TrajectoryCheck)
    .nullable()
    .describe("What a replay's result is judged by besides. Null as trajectory_data is."),
  reset: z
    .array(z.unknown())
    .nullable()
    .describe("Elements that lead back to the first recorded screen. Null as trajectory_data is."),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Trajectory = z.infer<typeof Trajectory>;

export const WrittenTrajectory = Trajectory.extend({
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      "In the response to an approval, and where it was made of a run: what may be wrong with it, in sentences.",
    ),
});
export type WrittenTrajectory = z.infer<typeof WrittenTrajectory>;

/** One trajectory, with the related resources requested. */
export const TrajectoryResponse = Trajectory.extend({
  included: z.array(IncludedWorkflow).optional().describe("Present when `include` was given."),
});
export type TrajectoryResponse = z.infer<typeof TrajectoryResponse>;

export const TrajectoryField = Trajectory.keyof().describe("The name of a field of a trajectory.");
export type TrajectoryField = z.infer<typeof TrajectoryField>;

/** In a list: all but trajectory_data, expect, checks and reset, or the `fields` named. */
export const TrajectoryItem = Trajectory.partial()
  .required({
    id: true,
    workflow_id: true,
    is_approved: true,
    created_at: true,
  })
  .extend({ omitted_fields: omittedFields(TrajectoryField) });
export type TrajectoryItem = z.infer<typeof TrajectoryItem>;

export const TrajectoryList = listOf(TrajectoryItem, IncludedWorkflow);
export type TrajectoryList = z.infer<typeof TrajectoryList>;

export const TrajectoriesQuery = z.strictObject({
  ...pageQuery,
  include,
  workflow_id: Uuid.optional(),
  run_id: Uuid.optional().describe("That it was made of."),
  is_approved: queryBoolean.optional().describe("Only approved ones, or only the others."),
  is_generated: queryBoolean
    .optional()
    .describe("Only those that the service made of a run, or only the others."),
  ...createdQuery,
  ...updatedQuery,
  search: text(1, 255).optional().describe("Substring of id, name or description, whatever the case."),
  fields: fieldsQuery(TrajectoryField)
    .optional()
    .describe("Given again and again: only these, with id, workflow_id, is_approved and created_at."),
});
export type TrajectoriesQuery = z.infer<typeof TrajectoriesQuery>;
