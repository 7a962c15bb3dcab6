import * as z from "zod";
import { expiredRecordingHours, recordingSeconds, recordingStatuses } from "../vocabulary/recordings.ts";
import { stepStatuses } from "../vocabulary/run-steps.ts";
import { createdQuery, OrganizationId, pageOf, pageQuery, Uuid } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { pathId } from "./fields/path-parameters.ts";
import { anyOf } from "./fields/query-values.ts";
import { name } from "./fields/text.ts";
import { Holder } from "./held.ts";
import { RunStep, RunStepPath } from "./run/run-step.ts";

const seconds = z.int().min(recordingSeconds.min).max(recordingSeconds.max);

export const CreateRecordingBody = z
  .strictObject({
    machine_id: Uuid.describe("The machine to record on, which is connected and has no run."),
    workflow_id: Uuid.optional().describe(
      "The workflow that the trajectory is to be of. Default: the one that `finish` names.",
    ),
    seconds: example(seconds.default(recordingSeconds.default), recordingSeconds.default).describe(
      "Time until the recording expires, in seconds.",
    ),
  })
  .describe("A recording of what its caller does on a machine.");
export type CreateRecordingBody = z.infer<typeof CreateRecordingBody>;

export const ExtendRecordingBody = z
  .strictObject({
    seconds: example(seconds.default(recordingSeconds.default), recordingSeconds.default).describe(
      "Time until the recording expires, in seconds from now. It is never shortened.",
    ),
  })
  .prefault({})
  .describe("The time by which a recording is extended; the body may be left out.");
export type ExtendRecordingBody = z.infer<typeof ExtendRecordingBody>;

export const FinishRecordingBody = z
  .strictObject({
    name: name(0, 255)
      .optional()
      .describe("The trajectory's name, for people. Default: the time of the recording."),
    workflow_id: Uuid.optional().describe(
      "The workflow that the trajectory is of. Default: the recording's own; one of the two is required.",
    ),
  })
  .prefault({})
  .describe("The trajectory that a recording becomes; the body may be left out.");
export type FinishRecordingBody = z.infer<typeof FinishRecordingBody>;

export const RecordedStepPath = z.strictObject({
  recording_id: pathId("recording_id"),
  index: RunStepPath.shape.index.describe("The step's number, counted from 1."),
});

export const Recording = z
  .strictObject({
    id: z.uuid().describe("The recording's id."),
    organization_id: OrganizationId.describe("The organization that the recording belongs to."),
    machine_id: z
      .guid()
      .describe("The machine that was recorded on; the id stays when the machine is deleted."),
    workflow_id: z
      .guid()
      .nullable()
      .describe("The workflow that the trajectory is to be of; null until that is known."),
    status: example(z.enum(recordingStatuses), "recording").describe(
      `The recording's status. Until \`until\` it is \`recording\`; after it \`expired\`, and can be finished for ${expiredRecordingHours} hours.`,
    ),
    by: Holder.describe("The API key or user that records, and that alone acts on the machine meanwhile."),
    element_count: z
      .int()
      .min(0)
      .describe("Number of actions recorded so far; typing in a row becomes one element of the trajectory."),
    input_names: example(z.array(z.string()), ["customer"]).describe(
      "Names of the inputs that texts were given as, with `as_input`.",
    ),
    trajectory_id: z
      .guid()
      .nullable()
      .describe("The trajectory that the recording became; null unless it is `finished`."),
    created_at: z.iso.datetime().describe("Time at which the recording began."),
    until: z.iso.datetime().describe("Time at which the recording expires, or would have expired."),
  })
  .describe("A recording of what a person does on a machine, which becomes a trajectory.");
export type Recording = z.infer<typeof Recording>;

export const RecordingList = pageOf(Recording).describe("A page of recordings, newest first.");
export type RecordingList = z.infer<typeof RecordingList>;

export const RecordingsQuery = z.strictObject({
  ...pageQuery,
  machine_id: anyOf(Uuid, "Only recordings on this machine are listed."),
  workflow_id: anyOf(Uuid, "Only recordings for this workflow are listed."),
  status: anyOf(z.enum(recordingStatuses), "Only recordings of this status are listed."),
  ...createdQuery,
});
export type RecordingsQuery = z.infer<typeof RecordingsQuery>;

export const RecordedStep = z
  .strictObject({
    index: RunStep.shape.index.describe("The step's number, counted from 1."),
    action: RunStep.shape.action.describe(
      "The action, with `type` and its fields: text given with `as_input` is `{name}`, a secret `{$alias}`; `screenshot` is a look that shows the screen before the next step.",
    ),
    status: example(z.enum(stepStatuses), "done").describe(
      "The step's outcome; those that are not `done` are left out of the trajectory.",
    ),
    error: RunStep.shape.error,
    screenshot: RunStep.shape.screenshot,
    started_at: RunStep.shape.started_at,
  })
  .describe("One thing that was done in a recording.");
export type RecordedStep = z.infer<typeof RecordedStep>;

export const RecordedStepList = pageOf(RecordedStep).describe("A page of a recording's steps, oldest first.");

export const RecordedStepsQuery = z.strictObject({ ...pageQuery });
