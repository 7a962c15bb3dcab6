import * as z from "zod";
import type { JsonObject } from "../../domain/json.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type { TrajectoryChange } from "../../domain/trajectory/trajectory-store.ts";
import type { Change } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { createdSortKey, filterPartitions, listPartitions, trajectoryKey } from "../table/keys.ts";
import { parseSpilled, SpilledAttribute, spilledAttribute } from "../table/spilled-attributes.ts";

/** Reading a row is parsing it; the index attributes beside these are left out. */
const TrajectoryItem = z.object({
  kind: z.literal("trajectory"),
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  workflow_id: z.string(),
  name: z.string(),
  description: z.string(),
  dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
  is_approved: z.boolean(),
  /** JSON text, as in a machine. */
  original_input_values: z.string().optional(),
  trajectory_data: SpilledAttribute.optional(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

/** Everything but the data: what a list reads. */
export function lightAttributes(): readonly string[] {
  return Object.keys(TrajectoryItem.shape).filter((name) => name !== "trajectory_data");
}

export function parseTrajectory(item: Item): Trajectory {
  const row = TrajectoryItem.parse(item);
  const values = row.original_input_values;
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    workflowId: row.workflow_id,
    name: row.name,
    description: row.description,
    dimensions: row.dimensions ?? null,
    isApproved: row.is_approved,
    // Written by `trajectoryItem` or `trajectoryChange` below, never by anyone else.
    originalInputValues: values === undefined ? null : (JSON.parse(values) as JsonObject),
    data: parseSpilled(row.trajectory_data),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

/** A new trajectory with its index rows. */
export function trajectoryItem(trajectory: Trajectory): Item & Key {
  const { organizationId, id, originalInputValues } = trajectory;
  const sortKey = createdSortKey(Date.parse(trajectory.createdAt), id);
  return {
    ...trajectoryKey(organizationId, id),
    kind: "trajectory",
    id,
    organization_id: organizationId,
    user_id: trajectory.userId,
    workflow_id: trajectory.workflowId,
    name: trajectory.name,
    description: trajectory.description,
    dimensions: trajectory.dimensions ?? undefined,
    is_approved: trajectory.isApproved,
    original_input_values: originalInputValues === null ? undefined : JSON.stringify(originalInputValues),
    trajectory_data: spilledAttribute(trajectory.data) ?? undefined,
    created_at: trajectory.createdAt,
    updated_at: trajectory.updatedAt,
    revision: trajectory.revision,
    list_pk: listPartitions.trajectories(organizationId),
    list_sk: sortKey,
    filter1_pk: filterPartitions.trajectoriesByWorkflow(organizationId, trajectory.workflowId),
    filter1_sk: sortKey,
    filter2_pk: filterPartitions.trajectoriesByApproval(organizationId, trajectory.isApproved),
    filter2_sk: sortKey,
  };
}

/** A change of some fields, without reading the trajectory. */
export function trajectoryChange(organizationId: string, change: TrajectoryChange): Change {
  const { originalInputValues, isApproved, data } = change;
  return {
    set: {
      name: change.name,
      description: change.description,
      dimensions: change.dimensions,
      is_approved: isApproved,
      original_input_values: originalInputValues && JSON.stringify(originalInputValues),
      trajectory_data: data && spilledAttribute(data),
      updated_at: change.updatedAt,
      filter2_pk:
        isApproved === undefined
          ? undefined
          : filterPartitions.trajectoriesByApproval(organizationId, isApproved),
    },
    add: { revision: 1 },
  };
}

/** The trajectory after the change; `trajectoryChange` says the same to the table. */
export function changedTrajectory(trajectory: Trajectory, change: TrajectoryChange): Trajectory {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...trajectory, ...given, revision: trajectory.revision + 1 };
}
