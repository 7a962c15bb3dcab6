import type { Hono } from "hono";
import {
  CreateTrajectoryBody,
  TRAJECTORY_BODY_BYTES_MAX as bodyBytesMax,
  TrajectoriesQuery,
  TrajectoryPath,
  TrajectoryQuery,
  UpdateTrajectoryBody,
} from "../../shared/contract/trajectory.ts";
import { WorkflowPath } from "../../shared/contract/workflow.ts";
import type { Idempotency } from "../../shared/domain/idempotency/idempotency.ts";
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
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { limitRate } from "../../shared/http/access/limit-rate.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { presentTrajectory } from "../../shared/present/present-trajectory.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentIncluded, presentItem } from "./present-trajectories.ts";
import { createInput, trajectoryFilter, updateInput } from "./read-input.ts";

export interface TrajectoriesAppDeps extends HttpDeps, Pick<TrajectoryDeps, "trajectories" | "files"> {
  readonly workflows: Pick<WorkflowStore, "find" | "findMany">;
}

/** Recorded sequences of actions, which replay workflows. */
export function createTrajectoriesApp(deps: TrajectoriesAppDeps): Hono<HttpEnv> {
  const app = createHttpApp(deps);
  app.use(authenticate(deps), limitRate(deps));

  /** The workflows named, each once, when they were asked for; deleted ones are left out. */
  const included = async (
    organizationId: string,
    trajectories: readonly Trajectory[],
    include: readonly "workflow"[] | undefined,
  ) => {
    if (include === undefined) return {};
    const ids = [...new Set(trajectories.map(({ workflowId }) => workflowId))];
    const workflows = ids.length === 0 ? [] : await deps.workflows.findMany(organizationId, ids);
    return { included: presentIncluded(workflows) };
  };

  app.get("/v1/trajectories", async (c) => {
    const { query } = await readRequest(c, { query: TrajectoriesQuery });
    const { skip, limit, fields, include } = query;
    const withData = fields?.includes("trajectory_data") ?? false;
    const input = { filter: trajectoryFilter(query), page: { skip, limit }, withData };
    const page = await listTrajectories(deps, c.var.caller, input);
    const data = withData ? await readDataOfAll(deps, page.items) : [];
    const items = page.items.map((trajectory, index) => presentItem(trajectory, data[index] ?? null, fields));
    const related = await included(c.var.caller.organizationId, page.items, include);
    return c.json({ items, total: page.total, skip, limit, ...related });
  });

  app.post("/v1/trajectories", async (c) => {
    const { body } = await readRequest(c, { body: CreateTrajectoryBody, bodyBytesMax });
    const work = (idempotency?: Idempotency) =>
      createTrajectory(deps, c.var.caller, createInput(body), idempotency);
    const trajectory = await idempotent(c, deps, work, "transactional");
    // A repeat has the body of the first, so its data need not be read.
    return c.json(presentTrajectory(trajectory, body.trajectory_data), 201);
  });

  app.get("/v1/trajectories/:trajectory_id", async (c) => {
    const { path, query } = await readRequest(c, { path: TrajectoryPath, query: TrajectoryQuery });
    const { trajectory_id: trajectoryId } = path;
    const trajectory = await getTrajectory(deps, c.var.caller, { trajectoryId });
    const [data, related] = await Promise.all([
      readData(deps, trajectory),
      included(trajectory.organizationId, [trajectory], query.include),
    ]);
    // Deleted since it was read.
    if (data === null) throw trajectoryNotFound(trajectoryId);
    return c.json({ ...presentTrajectory(trajectory, data), ...related });
  });

  // Here, and not with the other routes of a workflow, since this function may read the bucket.
  app.get("/v1/workflows/:workflow_id/latest-trajectory", async (c) => {
    const { path } = await readRequest(c, { path: WorkflowPath });
    const trajectory = await getLatestTrajectory(deps, c.var.caller, { workflowId: path.workflow_id });
    const data = await readData(deps, trajectory);
    // Deleted since it was read.
    if (data === null) throw trajectoryNotFound(trajectory.id);
    return c.json(presentTrajectory(trajectory, data));
  });

  app.patch("/v1/trajectories/:trajectory_id", async (c) => {
    const { path, body } = await readRequest(c, {
      path: TrajectoryPath,
      body: UpdateTrajectoryBody,
      bodyBytesMax,
    });
    const input = updateInput(path.trajectory_id, body);
    const work = (idempotency?: Idempotency) => updateTrajectory(deps, c.var.caller, input, idempotency);
    const trajectory = await idempotent(c, deps, work, "transactional");
    return c.json(presentTrajectory(trajectory, body.trajectory_data ?? (await readData(deps, trajectory))));
  });

  app.delete("/v1/trajectories/:trajectory_id", async (c) => {
    const { path } = await readRequest(c, { path: TrajectoryPath });
    const input = { trajectoryId: path.trajectory_id };
    const work = (idempotency?: Idempotency) =>
      deleteTrajectory(deps, c.var.caller, { ...input, idempotency });
    await idempotent(c, deps, work, "transactional");
    return c.body(null, 204);
  });

  app.post("/v1/trajectories/:trajectory_id/duplicate", async (c) => {
    const { path } = await readRequest(c, { path: TrajectoryPath });
    const input = { trajectoryId: path.trajectory_id };
    const work = (idempotency?: Idempotency) => duplicateTrajectory(deps, c.var.caller, input, idempotency);
    const copy = await idempotent(c, deps, work, "transactional");
    return c.json(presentTrajectory(copy, await readData(deps, copy)), 201);
  });

  return app;
}
