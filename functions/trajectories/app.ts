import type { Hono } from "hono";
import { trajectoryOperations } from "../../shared/contract/operations/trajectory-operations.ts";
import type { OrganizationId } from "../../shared/domain/access/organization-id.ts";
import { createTrajectory } from "../../shared/domain/trajectory/create-trajectory.ts";
import { deleteTrajectory } from "../../shared/domain/trajectory/delete-trajectory.ts";
import { duplicateTrajectory } from "../../shared/domain/trajectory/duplicate-trajectory.ts";
import { getLatestTrajectory } from "../../shared/domain/trajectory/get-latest-trajectory.ts";
import { getTrajectory } from "../../shared/domain/trajectory/get-trajectory.ts";
import { listTrajectories } from "../../shared/domain/trajectory/list-trajectories.ts";
import { readData, readDataOfAll } from "../../shared/domain/trajectory/read-data.ts";
import type { Trajectory } from "../../shared/domain/trajectory/trajectory.ts";
import { type TrajectoryDeps, trajectoryNotFound } from "../../shared/domain/trajectory/trajectory-deps.ts";
import { updateTrajectory } from "../../shared/domain/trajectory/update-trajectory.ts";
import type { WorkflowStore } from "../../shared/domain/workflow/workflow-store.ts";
import { authenticate } from "../../shared/http/access/authenticate.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentTrajectory } from "../../shared/present/present-trajectory.ts";
import { presentIncluded, presentItem } from "./present-trajectories.ts";
import { createInput, trajectoryFilter, updateInput } from "./read-input.ts";

export interface TrajectoriesAppDeps extends HttpDeps, Pick<TrajectoryDeps, "trajectories" | "files"> {
  readonly workflows: Pick<WorkflowStore, "find" | "findMany">;
}

/** Recorded sequences of actions, which replay workflows. */
export function createTrajectoriesApp(deps: TrajectoriesAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  /** The workflows named, each once, when requested; deleted ones are left out. */
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

  serveOperations(app, deps, trajectoryOperations, {
    listTrajectories: async ({ caller, query }) => {
      const { skip, limit, fields, include } = query;
      const withData = fields?.includes("trajectory_data") ?? false;
      const input = { filter: trajectoryFilter(query), page: { skip, limit }, withData };
      const page = await listTrajectories(deps, caller, input);
      const data = withData ? await readDataOfAll(deps, page.items) : [];
      const items = page.items.map((trajectory, index) =>
        presentItem(trajectory, data[index] ?? null, fields),
      );
      const related = await included(caller.organizationId, page.items, include);
      return { items, total: page.total, skip, limit, ...related };
    },
    createTrajectory: async ({ caller, body, idempotent }) => {
      const trajectory = await idempotent((idempotency) =>
        createTrajectory(deps, caller, createInput(body), idempotency),
      );
      // A retry has the same body, so the data need not be read.
      return presentTrajectory(trajectory, body.trajectory_data);
    },
    getTrajectory: async ({ caller, path, query }) => {
      const { trajectory_id: trajectoryId } = path;
      const trajectory = await getTrajectory(deps, caller, { trajectoryId });
      const [data, related] = await Promise.all([
        readData(deps, trajectory),
        included(trajectory.organizationId, [trajectory], query.include),
      ]);
      // Deleted since it was read.
      if (data === null) throw trajectoryNotFound(trajectoryId);
      return { ...presentTrajectory(trajectory, data), ...related };
    },
    updateTrajectory: async ({ caller, path, body, idempotent }) => {
      const trajectory = await idempotent((idempotency) =>
        updateTrajectory(deps, caller, updateInput(path.trajectory_id, body), idempotency),
      );
      return presentTrajectory(trajectory, body.trajectory_data ?? (await readData(deps, trajectory)));
    },
    getLatestTrajectory: async ({ caller, path }) => {
      const trajectory = await getLatestTrajectory(deps, caller, { workflowId: path.workflow_id });
      const data = await readData(deps, trajectory);
      // Deleted since it was read.
      if (data === null) throw trajectoryNotFound(trajectory.id);
      return presentTrajectory(trajectory, data);
    },
    deleteTrajectory: ({ caller, path, idempotent }) =>
      idempotent((idempotency) =>
        deleteTrajectory(deps, caller, { trajectoryId: path.trajectory_id, idempotency }),
      ),
    duplicateTrajectory: async ({ caller, path, idempotent }) => {
      const copy = await idempotent((idempotency) =>
        duplicateTrajectory(deps, caller, { trajectoryId: path.trajectory_id }, idempotency),
      );
      return presentTrajectory(copy, await readData(deps, copy));
    },
  });
  return app;
}
