import {
  CreatePromptImageBody,
  PromptImage,
  PromptImageList,
  PromptImagePath,
  PromptImagesQuery,
} from "../prompt-image.ts";
import { RunPath } from "../run/run.ts";
import {
  CreateTrajectoryBody,
  TrajectoriesQuery,
  Trajectory,
  TrajectoryList,
  TrajectoryPath,
  TrajectoryQuery,
  TrajectoryResponse,
  UpdateTrajectoryBody,
  WrittenTrajectory,
} from "../trajectory/trajectory.ts";
import { DuplicateWorkflowBody, Workflow, WorkflowPath } from "../workflow.ts";
import { defineOperations, deleted, largeBodyBytesMax, reading, writing } from "./operation.ts";

const images = "Prompt images";

export const trajectoryOperations = defineOperations("Trajectories", [
  {
    ...reading,
    id: "listTrajectories",
    path: "/v1/trajectories",
    summary: "Lists trajectories",
    description:
      "The list is sorted newest first. trajectory_data is in an item while it has at most 8 KB of JSON, and 4 MB in all; else it is null, and `omitted_fields` names it. expect, checks and reset are left out. `fields` gives them whole. A search, run_id, a range of updated_at, and workflow_id together with is_approved, read at most 10,000 trajectories.",
    query: TrajectoriesQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: TrajectoryList } },
    refusals: { 413: "The page has more than 5 MB: lower `limit`, or name fewer fields." },
  },
  {
    ...writing("POST"),
    id: "createTrajectory",
    writes: "trajectory",
    path: "/v1/trajectories",
    summary: "Makes a trajectory of a workflow",
    description:
      "The trajectory is not approved unless is_approved says so; 404 names a workflow or run that is not there; 422 then names the first element that the service cannot replay, where it carries out the workflow's runs.",
    body: CreateTrajectoryBody,
    bodyBytesMax: largeBodyBytesMax,
    example: {
      workflow_id: "0198c5f2-7c1a-7e3b-8d44-3f6a0b9c1d2e",
      name: "Opens the shop",
      dimensions: { width: 1280, height: 800 },
      trajectory_data: [{ action: "left_click", coordinate: [640, 400] }],
    },
    responses: { 201: { description: "The trajectory.", schema: WrittenTrajectory } },
    refusals: { 404: "`not_found`: there is no such workflow or run." },
  },
  {
    ...reading,
    id: "getTrajectory",
    path: "/v1/trajectories/{trajectory_id}",
    summary: "Reads one trajectory",
    pathParameters: TrajectoryPath,
    query: TrajectoryQuery,
    responses: { 200: { description: "The trajectory.", schema: TrajectoryResponse } },
  },
  {
    ...writing("PATCH"),
    id: "updateTrajectory",
    writes: "trajectory",
    path: "/v1/trajectories/{trajectory_id}",
    summary: "Updates a trajectory",
    description:
      "Only the fields provided are changed. trajectory_data, expect, checks and reset are each replaced as a whole; null clears dimensions and original_input_values. What is or becomes approved is checked: 422 names the first element that the service cannot replay, where it carries out the workflow's runs; elsewhere `warnings` does. A change of what is replayed clears verified_at; a trajectory that is no longer approved is not the main one. The first approved and verified one of a workflow becomes the main one by itself.",
    pathParameters: TrajectoryPath,
    body: UpdateTrajectoryBody,
    bodyBytesMax: largeBodyBytesMax,
    example: { is_approved: true, is_main: true },
    responses: { 200: { description: "The trajectory.", schema: WrittenTrajectory } },
    refusals: { 409: "`conflict`: is_main of one that is not approved." },
  },
  {
    // This function serves it because that of the workflows may not read the bucket.
    ...reading,
    tag: "Workflows",
    id: "getLatestTrajectory",
    path: "/v1/workflows/{workflow_id}/latest-trajectory",
    summary: "Reads a workflow's newest trajectory",
    description:
      "The trajectory may be approved or not. The response is 404 also when the workflow has none.",
    pathParameters: WorkflowPath,
    responses: { 200: { description: "The trajectory, with its data.", schema: Trajectory } },
  },
  {
    ...writing("DELETE"),
    id: "deleteTrajectory",
    writes: "trajectory",
    path: "/v1/trajectories/{trajectory_id}",
    summary: "Deletes a trajectory",
    description: "The trajectory is gone at once for every reader; its data is removed in the background.",
    pathParameters: TrajectoryPath,
    responses: deleted,
  },
  {
    ...writing("POST"),
    id: "duplicateTrajectory",
    writes: "trajectory",
    path: "/v1/trajectories/{trajectory_id}/duplicate",
    summary: "Makes a copy of a trajectory",
    description:
      "The copy has data of its own, is not approved, and is named `<name> (Copy)`. The response is 404 also when the workflow that the trajectory is of has been deleted.",
    pathParameters: TrajectoryPath,
    responses: { 201: { description: "The copy.", schema: Trajectory } },
  },
  {
    ...reading,
    id: "listPromptImages",
    tag: images,
    path: "/v1/workflows/prompt-images",
    summary: "Lists images for prompts",
    description: "The list is sorted newest first, and each image has a fresh link.",
    query: PromptImagesQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: PromptImageList } },
  },
  {
    ...writing("POST"),
    id: "createPromptImage",
    tag: images,
    writes: "prompt_image",
    path: "/v1/workflows/prompt-images",
    summary: "Makes an image for prompts",
    description:
      "A prompt that names it as `![the button](image:<id>)` shows it to the model there: the first 10 of a prompt, and at most 10 MB of them. A run goes by the images that its prompt names when it begins.",
    body: CreatePromptImageBody,
    bodyBytesMax: largeBodyBytesMax,
    example: { filename: "dot.gif", content: "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==" },
    responses: { 201: { description: "The image.", schema: PromptImage } },
    refusals: { 409: "`limit_reached`: the organization has 1,000." },
  },
  {
    ...reading,
    id: "getPromptImage",
    tag: images,
    path: "/v1/workflows/prompt-images/{image_id}",
    summary: "Reads one image for prompts",
    description: "Its record, with a fresh link.",
    pathParameters: PromptImagePath,
    responses: { 200: { description: "The image.", schema: PromptImage } },
  },
  {
    ...writing("DELETE"),
    id: "deletePromptImage",
    tag: images,
    writes: "prompt_image",
    path: "/v1/workflows/prompt-images/{image_id}",
    summary: "Deletes an image for prompts",
    description:
      "An image can be deleted while prompts name it: the model is told in its place that it is not there any more.",
    pathParameters: PromptImagePath,
    responses: deleted,
  },
  {
    ...writing("POST"),
    // The workflow, some of its tags and each trajectory take a transaction each.
    idempotency: "leased",
    id: "duplicateWorkflow",
    tag: "Workflows",
    writes: "workflow",
    path: "/v1/workflows/{workflow_id}/duplicate",
    summary: "Makes a copy of a workflow",
    description:
      "The copy has the workflow's prompt, schemas, settings and tags (archived ones stay behind), and its trajectories where `include_trajectories` says so. Without an Idempotency-Key an interruption may leave a copy that lacks tags or trajectories; a repeat under one goes on with the same copy.",
    pathParameters: WorkflowPath,
    body: DuplicateWorkflowBody,
    example: { name: "Print the invoice, in French", include_trajectories: true },
    responses: { 201: { description: "The copy.", schema: Workflow } },
    refusals: { 409: "`limit_reached`: it has more than 100 trajectories, which are to go along." },
  },
  {
    ...reading,
    id: "getRunTrajectory",
    path: "/v1/runs/{run_id}/trajectory",
    tag: "Runs",
    summary: "Reads a run's trajectory",
    description:
      "The newest one that was made of the run, or else the one that the run went by, as it is now. Looks through the trajectories of the workflow that are younger than the run, at most 10,000. 404 also when there is neither.",
    pathParameters: RunPath,
    responses: { 200: { description: "The trajectory, with its data.", schema: Trajectory } },
  },
  {
    // This function serves the operation because it writes a trajectory.
    ...writing("POST"),
    id: "generateTrajectory",
    writes: "trajectory",
    path: "/v1/runs/{run_id}/generate-trajectory",
    tag: "Runs",
    summary: "Makes a trajectory of what a run has done",
    description:
      "The trajectory is made of the steps of the run's last attempt, and is not approved; text that equals an input is written as `{input}`. A step that was replayed stays as it was recorded; of another one pieces are cut out of the picture before it, and the element is `by: model` where there is none, or none that is unique. What a model did to reach the first recorded screen is in `reset`. Repeated, it makes another one.",
    pathParameters: RunPath,
    makes: true,
    responses: { 200: { description: "The trajectory.", schema: WrittenTrajectory } },
    refusals: {
      404: "The run or its workflow is not there.",
      409: "`conflict`: the run has not ended, or none of its steps is there any more.",
      413: "The trajectory would be larger than a response may be.",
    },
  },
]);
