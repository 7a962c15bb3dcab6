import {
  CreateRecordingBody,
  ExtendRecordingBody,
  FinishRecordingBody,
  RecordedStepList,
  RecordedStepPath,
  RecordedStepsQuery,
  Recording,
  RecordingList,
  RecordingsQuery,
} from "../recording.ts";
import { WrittenTrajectory } from "../trajectory/trajectory.ts";
import { defineOperations, reading, writing } from "./operation.ts";

const ofHolder = "`machine_held`: somebody else records; a key with `admin` does it all the same.";

export const recordingOperations = defineOperations("Recordings", [
  {
    ...reading,
    id: "listRecordings",
    path: "/v1/recordings",
    summary: "Lists recordings",
    description:
      "The list is sorted newest first. A filter reads at most 10,000 recordings. A recording is listed for as long as its pictures are kept.",
    query: RecordingsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: RecordingList } },
  },
  {
    ...writing("POST"),
    id: "createRecording",
    writes: "recording",
    path: "/v1/recordings",
    summary: "Starts to record what the caller does on a machine",
    description:
      "The machine is held for the caller, which is the API key or the user that sent this: no run gets it, and what acts on it is refused to others. Each of the caller's computer operations that acts is recorded with pictures before and after. A text is recorded as it was typed; with `as_input` it is an input of the trajectory; `{$alias}` types a secret of the machine's, which is never recorded.",
    body: CreateRecordingBody,
    example: { machine_id: "0198c5f2-7c1a-7e3b-8d44-3f6a0b9c1d2e", seconds: 1_800 },
    responses: { 201: { description: "The recording.", schema: Recording } },
    refusals: {
      404: "`not_found`: there is no such machine or workflow.",
      409: "`conflict`: the machine has a run, which details name; `machine_not_connected`; `machine_held`: it is held already, with who and until when in details; `machine_reserved`: it is reserved for a session.",
    },
  },
  {
    ...reading,
    id: "getRecording",
    path: "/v1/recordings/{recording_id}",
    summary: "Reads one recording",
    responses: { 200: { description: "The recording.", schema: Recording } },
  },
  {
    ...writing("POST"),
    id: "extendRecording",
    writes: "recording",
    path: "/v1/recordings/{recording_id}/extend",
    summary: "Extends a recording",
    description: "The body may be left out.",
    body: ExtendRecordingBody,
    example: { seconds: 1_800 },
    responses: { 200: { description: "The recording.", schema: Recording } },
    refusals: { 409: `\`illegal_transition\`: the recording has ended. ${ofHolder}` },
  },
  {
    ...writing("POST"),
    id: "finishRecording",
    isTagged: true,
    writes: "trajectory",
    path: "/v1/recordings/{recording_id}/finish",
    summary: "Finishes a recording, as a trajectory",
    description:
      "The trajectory is not approved. Its elements have pieces of the pictures before each action; what has nothing unique around it is `by: model`. The machine is not held any more. Sent again it returns the same trajectory. An expired recording can be finished for 24 hours. The body may be left out.",
    body: FinishRecordingBody,
    example: { name: "Enters a customer" },
    responses: { 201: { description: "The trajectory, with warnings.", schema: WrittenTrajectory } },
    refusals: {
      404: "`not_found`: there is no such recording or workflow, or its trajectory has been deleted since.",
      409: `\`illegal_transition\`: the recording was discarded, or expired more than 24 hours ago; \`conflict\`: nothing was recorded. ${ofHolder}`,
      413: "`answer_too_large`: the trajectory would have more bytes of pieces than one may have.",
    },
  },
  {
    ...writing("DELETE"),
    id: "discardRecording",
    writes: "recording",
    path: "/v1/recordings/{recording_id}",
    summary: "Discards a recording",
    description:
      "The machine is not held any more, and the pictures are removed. The recording stays in lists as `discarded`; one that is discarded already, or has expired, is 204, too.",
    responses: { 204: { description: "The recording is discarded." } },
    refusals: {
      409: `\`illegal_transition\`: the recording is finished; delete its trajectory. ${ofHolder}`,
    },
  },
  {
    ...reading,
    id: "listRecordedSteps",
    path: "/v1/recordings/{recording_id}/steps",
    summary: "Lists what was recorded",
    description: "The list is sorted oldest first.",
    query: RecordedStepsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: RecordedStepList } },
  },
  {
    ...reading,
    id: "getRecordedScreenshot",
    path: "/v1/recordings/{recording_id}/steps/{index}/screenshot",
    summary: "Reads the picture of the screen after a recorded step",
    description:
      "Parts that show what was typed of a secret are painted over. An element's `screen` names the step whose picture it was cut from.",
    pathParameters: RecordedStepPath,
    responses: {
      200: { description: "The picture, up to 4 MB.", contentType: "image/png" },
      307: { description: "The picture is larger: `Location` is a presigned URL." },
    },
    refusals: {
      404: "The recording or the step is not there, or the step has no picture: the desktop gave none, or it has expired.",
    },
  },
]);
