import type { Hono } from "hono";
import { trajectoryOperations } from "../../shared/contract/operations/trajectory-operations.ts";
import type { TrajectoryField } from "../../shared/contract/trajectory/trajectory.ts";
import { linkSeconds } from "../../shared/domain/download-file.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import { createPromptImage } from "../../shared/domain/prompt-image/create-prompt-image.ts";
import { deletePromptImage } from "../../shared/domain/prompt-image/delete-prompt-image.ts";
import type { PromptImage } from "../../shared/domain/prompt-image/prompt-image.ts";
import type { PromptImageDeps } from "../../shared/domain/prompt-image/prompt-image-deps.ts";
import { getPromptImage, listPromptImages } from "../../shared/domain/prompt-image/read-prompt-images.ts";
import { type GenerateDeps, generateTrajectory } from "../../shared/domain/recording/generate-trajectory.ts";
import { getRunTrajectory } from "../../shared/domain/recording/get-run-trajectory.ts";
import { createTrajectory } from "../../shared/domain/trajectory/create-trajectory.ts";
import { deleteTrajectory } from "../../shared/domain/trajectory/delete-trajectory.ts";
import { duplicateTrajectory } from "../../shared/domain/trajectory/duplicate-trajectory.ts";
import { duplicateWorkflow } from "../../shared/domain/trajectory/duplicate-workflow.ts";
import { getLatestTrajectory } from "../../shared/domain/trajectory/get-latest-trajectory.ts";
import { getTrajectory } from "../../shared/domain/trajectory/get-trajectory.ts";
import { listTrajectories } from "../../shared/domain/trajectory/list-trajectories.ts";
import { readContent, readContentOfAll } from "../../shared/domain/trajectory/read-data.ts";
import type { Trajectory } from "../../shared/domain/trajectory/trajectory.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "../../shared/domain/trajectory/trajectory-deps.ts";
import { updateTrajectory } from "../../shared/domain/trajectory/update-trajectory.ts";
import type { WorkflowStore } from "../../shared/domain/workflow/workflow-store.ts";
import type { TaggingDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import { tagsOfWorkflows } from "../../shared/domain/workflow-tag/tags-of-workflows.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given } from "../../shared/http/request/given.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentTrajectory } from "../../shared/present/present-trajectory.ts";
import { presentTagged } from "../../shared/present/present-workflow.ts";
import { presentPromptImage } from "./present-prompt-image.ts";
import { presentIncluded, presentItem, presentWritten } from "./present-trajectories.ts";
import { createInput, trajectoryFilter, updateInput } from "./read-input.ts";

export interface TrajectoriesAppDeps
  extends HttpDeps,
    Pick<TrajectoryDeps, "trajectories" | "trajectoryReader" | "pictures">,
    Pick<TaggingDeps, "tags"> {
  readonly workflows: Pick<WorkflowStore, "find" | "findMany" | "findTagIds" | "create">;
  readonly promptImages: PromptImageDeps["promptImages"];
  readonly files: GenerateDeps["files"] & PromptImageDeps["files"];
  readonly runs: GenerateDeps["runs"];
  readonly executions: GenerateDeps["executions"];
}

export function createTrajectoriesApp(deps: TrajectoriesAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  /** Leaves out deleted workflows. */
  const included = async (
    organizationId: OrganizationId,
    trajectories: readonly Trajectory[],
    include: readonly "workflow"[] | undefined,
  ) => {
    if (include === undefined) return {};
    const ids = [...new Set(trajectories.map(({ workflowId }) => workflowId))];
    const workflows = ids.length === 0 ? [] : await deps.workflows.findMany(organizationId, ids);
    return { included: presentIncluded(workflows) };
  };

  /** Never on record: a repeat gets one of its own. */
  const withLink = async (image: PromptImage) => {
    const link = await deps.files.presignGet(image.key, { expiresInSeconds: linkSeconds });
    return presentPromptImage(image, link);
  };

  serveOperations(app, deps, trajectoryOperations, {
    listTrajectories: async ({ caller, query }) => {
      const { skip, limit, fields, include } = query;
      const has = (...names: readonly TrajectoryField[]) =>
        names.some((name) => fields?.includes(name) ?? false);
      const wanted = { withData: has("trajectory_data"), withScreens: has("expect", "checks", "reset") };
      const input = { filter: trajectoryFilter(query), page: { skip, limit }, wanted };
      const page = await listTrajectories(deps, caller, input);
      const contents = await readContentOfAll(deps, page.items, wanted);
      const items = page.items.map((trajectory, index) =>
        presentItem(trajectory, contents[index] ?? null, fields),
      );
      const related = await included(caller.organizationId, page.items, include);
      return { items, total: page.total, skip, limit, ...related };
    },
    createTrajectory: async ({ caller, body, idempotent }) => {
      const trajectory = await idempotent((idempotency) =>
        createTrajectory(deps, caller, createInput(body), idempotency),
      );
      // A retry has the same body, so the data need not be read.
      const { trajectory_data: data, expect = [], checks = [], reset = [] } = body;
      return presentWritten(trajectory, { data, screens: { expect, checks, reset } });
    },
    getTrajectory: async ({ caller, path, query }) => {
      const { trajectory_id: trajectoryId } = path;
      const trajectory = await getTrajectory(deps, caller, { trajectoryId });
      const [content, related] = await Promise.all([
        readContent(deps, trajectory),
        included(trajectory.organizationId, [trajectory], query.include),
      ]);
      // Deleted since it was read.
      if (content === null) throw trajectoryNotFound(trajectoryId);
      return { ...presentTrajectory(trajectory, content), ...related };
    },
    updateTrajectory: async ({ caller, path, body, idempotent }) => {
      const trajectory = await idempotent((idempotency) =>
        updateTrajectory(deps, caller, updateInput(path.trajectory_id, body), idempotency),
      );
      // Fields of the body are not read again: a retry's response is the first one's.
      const wanted = {
        withData: body.trajectory_data === undefined,
        withScreens: [body.expect, body.checks, body.reset].includes(undefined),
      };
      const content = await readContent(deps, trajectory, wanted);
      const { trajectory_data: data = content?.data ?? null } = body;
      const { expect, checks, reset } = { ...content?.screens, ...given(body) };
      const screens = expect && checks && reset ? { expect, checks, reset } : null;
      return presentWritten(trajectory, { data, screens });
    },
    getLatestTrajectory: async ({ caller, path }) => {
      const trajectory = await getLatestTrajectory(deps, caller, { workflowId: path.workflow_id });
      const content = await readContent(deps, trajectory);
      // Deleted since it was read.
      if (content === null) throw trajectoryNotFound(trajectory.id);
      return presentTrajectory(trajectory, content);
    },
    deleteTrajectory: ({ caller, path, idempotent }) =>
      idempotent((idempotency) =>
        deleteTrajectory(deps, caller, { trajectoryId: path.trajectory_id }, idempotency),
      ),
    getRunTrajectory: async ({ caller, path }) => {
      const trajectory = await getRunTrajectory(deps, caller, { runId: path.run_id });
      const content = await readContent(deps, trajectory);
      // Deleted since it was read.
      if (content === null) throw trajectoryNotFound(trajectory.id);
      return presentTrajectory(trajectory, content);
    },
    generateTrajectory: async ({ caller, path, idempotent }) => {
      const trajectory = await idempotent((idempotency) =>
        generateTrajectory(deps, caller, { runId: path.run_id }, idempotency),
      );
      return presentWritten(trajectory, await readContent(deps, trajectory));
    },
    duplicateTrajectory: async ({ caller, path, idempotent }) => {
      const copy = await idempotent((idempotency) =>
        duplicateTrajectory(deps, caller, { trajectoryId: path.trajectory_id }, idempotency),
      );
      return presentTrajectory(copy, await readContent(deps, copy));
    },
    listPromptImages: async ({ caller, query }) => {
      const { items, total } = await listPromptImages(deps, caller, query);
      return { items: await Promise.all(items.map(withLink)), total, ...query };
    },
    createPromptImage: async ({ caller, body, idempotent }) => {
      const input = { filename: body.filename, content: Buffer.from(body.content, "base64") };
      return withLink(await idempotent((idempotency) => createPromptImage(deps, caller, input, idempotency)));
    },
    getPromptImage: async ({ caller, path }) =>
      withLink(await getPromptImage(deps, caller, { id: path.image_id })),
    deletePromptImage: ({ caller, path, idempotent }) =>
      idempotent((idempotency) => deletePromptImage(deps, caller, { id: path.image_id }, idempotency)),
    duplicateWorkflow: async ({ caller, path, body, idempotent }) => {
      const { name, include_trajectories: includeTrajectories = false } = body;
      const input = { workflowId: path.workflow_id, includeTrajectories, ...given({ name }) };
      const copy = await idempotent((idempotency) => duplicateWorkflow(deps, caller, input, idempotency));
      return presentTagged(copy, await tagsOfWorkflows(deps, caller.organizationId, [copy]));
    },
  });
  return app;
}
