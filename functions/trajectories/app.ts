import type { Hono } from "hono";
import { recordingOperations } from "../../shared/contract/operations/recording-operations.ts";
import { trajectoryOperations } from "../../shared/contract/operations/trajectory-operations.ts";
import type { TrajectoryField } from "../../shared/contract/trajectory/trajectory.ts";
import { requireScope } from "../../shared/domain/access/caller.ts";
import { editTrajectory } from "../../shared/domain/demonstration/edit-trajectory.ts";
import { linkSeconds } from "../../shared/domain/download-file.ts";
import { deleteTrajectory } from "../../shared/domain/entity/delete-entity.ts";
import { notFound } from "../../shared/domain/entity/not-found.ts";
import { getEntity } from "../../shared/domain/entity/read-entities.ts";
import { isObject } from "../../shared/domain/json.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import { createPromptImage } from "../../shared/domain/prompt-image/create-prompt-image.ts";
import { deletePromptImage } from "../../shared/domain/prompt-image/delete-prompt-image.ts";
import { listPromptImages } from "../../shared/domain/prompt-image/list-prompt-images.ts";
import { imageIdAt, type PromptImage } from "../../shared/domain/prompt-image/prompt-image.ts";
import type { PromptImageDeps } from "../../shared/domain/prompt-image/prompt-image-deps.ts";
import { type GenerateDeps, generateTrajectory } from "../../shared/domain/recording/generate-trajectory.ts";
import { getRunTrajectory } from "../../shared/domain/recording/get-run-trajectory.ts";
import { sendInTrajectory } from "../../shared/domain/recording/send-in-trajectory.ts";
import { duplicateTrajectory } from "../../shared/domain/trajectory/duplicate-trajectory.ts";
import { duplicateWorkflow } from "../../shared/domain/trajectory/duplicate-workflow.ts";
import { getLatestTrajectory } from "../../shared/domain/trajectory/get-latest-trajectory.ts";
import { listTrajectories } from "../../shared/domain/trajectory/list-trajectories.ts";
import {
  listedData,
  readContent,
  readContentOfAll,
  type WantedContent,
} from "../../shared/domain/trajectory/read-data.ts";
import type { Trajectory } from "../../shared/domain/trajectory/trajectory.ts";
import type { TrajectoryDeps } from "../../shared/domain/trajectory/trajectory-deps.ts";
import type { WorkflowStore } from "../../shared/domain/workflow/workflow-store.ts";
import { tagsOfWorkflows } from "../../shared/domain/workflow-tag/read-tags.ts";
import type { TaggingDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import { boundedResponse } from "../../shared/http/bounded-response.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given } from "../../shared/http/request/given.ts";
import { readFormFile } from "../../shared/http/request/read-form-file.ts";
import { presentTrajectory } from "../../shared/present/present-trajectory.ts";
import { presentTagged } from "../../shared/present/present-workflow.ts";
import { promptImageBytesMax } from "../../shared/vocabulary/files.ts";
import { presentPromptImage } from "./present-prompt-image.ts";
import {
  presentIncludedWorkflows,
  presentItem,
  presentListed,
  presentWritten,
} from "./present-trajectories.ts";
import { createInput, trajectoryFilter, updateInput } from "./read-input.ts";
import { type RecordingHandlerDeps, recordingHandlers } from "./recording-handlers.ts";

export interface TrajectoriesAppDeps
  extends HttpDeps,
    Pick<TrajectoryDeps, "trajectories" | "trajectoryReader" | "pictures">,
    Pick<TaggingDeps, "tags">,
    Pick<RecordingHandlerDeps, "recordings" | "machines"> {
  readonly workflows: Pick<WorkflowStore, "find" | "findMany" | "findTagIds" | "create">;
  readonly promptImages: PromptImageDeps["promptImages"];
  readonly files: GenerateDeps["files"] & PromptImageDeps["files"] & RecordingHandlerDeps["files"];
  readonly runs: GenerateDeps["runs"];
  readonly executions: GenerateDeps["executions"];
}

export function createTrajectoriesApp(deps: TrajectoriesAppDeps): Hono<HttpEnv> {
  /** Leaves out deleted workflows. */
  const included = async (
    organizationId: OrganizationId,
    trajectories: readonly Trajectory[],
    include: readonly "workflow"[] | undefined,
  ) => {
    if (include === undefined) return {};
    const ids = [...new Set(trajectories.map(({ workflowId }) => workflowId))];
    const workflows = ids.length === 0 ? [] : await deps.workflows.findMany(organizationId, ids);
    return { included: presentIncludedWorkflows(workflows) };
  };

  /** @throws {DomainError} `not_found` when it was deleted since it was read. */
  const withContent = async (trajectory: Trajectory) => {
    const content = await readContent(deps, trajectory);
    if (content === null) throw notFound("trajectory", trajectory.id);
    return presentTrajectory(trajectory, content);
  };
  const presentItems = async (
    trajectories: readonly Trajectory[],
    fields: readonly TrajectoryField[] | undefined,
    wanted: WantedContent,
  ) => {
    if (fields === undefined) return listedData(trajectories).map(presentListed);
    const contents = await readContentOfAll(deps, trajectories, wanted);
    return trajectories.map((trajectory, index) => presentItem(trajectory, contents[index] ?? null, fields));
  };
  /** Links are never recorded, so a repeat gets a new one. */
  const withLink = async (image: PromptImage) => {
    const link = await deps.files.presignGet(image.key, { expiresInSeconds: linkSeconds });
    return presentPromptImage(image, link);
  };

  return createCallersApp(deps, [...trajectoryOperations, ...recordingOperations], {
    ...recordingHandlers(deps),
    listTrajectories: async ({ caller, query }) => {
      const { skip, limit, fields, include } = query;
      const has = (...names: readonly TrajectoryField[]) =>
        names.some((name) => fields?.includes(name) ?? false);
      const withData = fields === undefined || has("trajectory_data");
      const wanted = { withData, withScreens: has("expect", "checks", "reset") };
      const filter = trajectoryFilter(query);
      const input = { filter, isGenerated: query.is_generated, page: { skip, limit }, wanted };
      const page = await listTrajectories(deps, caller, input);
      const items = await presentItems(page.items, fields, wanted);
      const related = await included(caller.organizationId, page.items, include);
      return boundedResponse({ items, total: page.total, skip, limit, ...related });
    },
    createTrajectory: async ({ body, write, tagged }) => {
      // A retry has the same body, so the data need not be read.
      const { trajectory_data: data, expect = [], checks = [], reset = [] } = body;
      return tagged(await write(sendInTrajectory, createInput(body)), (trajectory) =>
        presentWritten(trajectory, { data, screens: { expect, checks, reset } }),
      );
    },
    getTrajectory: async ({ caller, path, query, tagged }) =>
      tagged(
        await getEntity(deps.trajectories, caller, "trajectory", path.trajectory_id),
        async (trajectory) => {
          const [presented, related] = await Promise.all([
            withContent(trajectory),
            included(trajectory.organizationId, [trajectory], query.include),
          ]);
          return { ...presented, ...related };
        },
      ),
    updateTrajectory: async ({ path, body, ifEdition, write, tagged }) => {
      const input = { ...updateInput(path.trajectory_id, body), ifEdition };
      const trajectory = await write(editTrajectory, input);
      // Fields of the body are not read again: a retry's response is the first one's. Pieces may have been cut anew.
      const isWhole = !namesScreens(body.trajectory_data);
      const wanted = {
        withData: body.trajectory_data === undefined || !isWhole,
        withScreens: [body.expect, body.checks, body.reset].includes(undefined),
      };
      const content = await readContent(deps, trajectory, wanted);
      const data = (isWhole && body.trajectory_data) || (content?.data ?? null);
      const { expect, checks, reset } = { ...content?.screens, ...given(body) };
      const screens = expect && checks && reset ? { expect, checks, reset } : null;
      return tagged(trajectory, () => presentWritten(trajectory, { data, screens }));
    },
    getLatestTrajectory: async ({ caller, path }) =>
      withContent(await getLatestTrajectory(deps, caller, { workflowId: path.workflow_id })),
    deleteTrajectory: ({ path, ifEdition, write }) =>
      write(deleteTrajectory, { id: path.trajectory_id, ifEdition }),
    getRunTrajectory: async ({ caller, path }) =>
      withContent(await getRunTrajectory(deps, caller, { runId: path.run_id })),
    generateTrajectory: async ({ path, write, tagged }) =>
      tagged(await write(generateTrajectory, { runId: path.run_id }), async (trajectory) =>
        presentWritten(trajectory, await readContent(deps, trajectory)),
      ),
    duplicateTrajectory: async ({ path, write, tagged }) =>
      tagged(await write(duplicateTrajectory, { trajectoryId: path.trajectory_id }), async (copy) =>
        presentTrajectory(copy, await readContent(deps, copy)),
      ),
    listPromptImages: async ({ caller, query }) => {
      const { items } = await listPromptImages(deps, caller, query);
      return await Promise.all(items.map(withLink));
    },
    createPromptImage: async ({ body, write }) => {
      const input = { filename: body.filename, content: Buffer.from(body.content, "base64") };
      return withLink(await write(createPromptImage, input));
    },
    uploadPromptImage: async ({ c, caller, write }) => {
      requireScope(caller, "write");
      const input = await readFormFile(c, "file", promptImageBytesMax);
      return withLink(await write(createPromptImage, { ...input, field: "file" }));
    },
    getPromptImageLink: async ({ caller, query }) =>
      withLink(await getEntity(deps.promptImages, caller, "prompt image", imageIdAt(query.path))),
    deletePromptImageAtPath: ({ query, write }) => write(deletePromptImage, { id: imageIdAt(query.path) }),
    getPromptImage: async ({ caller, path }) =>
      withLink(await getEntity(deps.promptImages, caller, "prompt image", path.image_id)),
    deletePromptImage: ({ path, write }) => write(deletePromptImage, { id: path.image_id }),
    duplicateWorkflow: async ({ caller, path, body, write, tagged }) => {
      const { name, include_trajectories: includeTrajectories = false } = body;
      const input = { workflowId: path.workflow_id, includeTrajectories, ...given({ name }) };
      return tagged(await write(duplicateWorkflow, input), async (copy) =>
        presentTagged(copy, await tagsOfWorkflows(deps, caller.organizationId, [copy])),
      );
    },
  });
}

/** Elements that name a recorded screen may have been cut anew. */
function namesScreens(data: readonly unknown[] | undefined): boolean {
  return data?.some((element) => isObject(element) && element.screen !== undefined) ?? false;
}
