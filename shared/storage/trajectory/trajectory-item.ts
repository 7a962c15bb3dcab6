import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type { TrajectoryChange } from "../../domain/trajectory/trajectory-store.ts";
import type { Change } from "../table/expression.ts";
import { createdAttributes } from "../table/index-attributes.ts";
import type { Item, Key } from "../table/item.ts";
import { filterPartitions, listPartitions, trajectoryKey } from "../table/keys.ts";
import {
  as,
  entityFields,
  flag,
  json,
  maybe,
  nested,
  number,
  orElse,
  orNull,
  row,
  text,
} from "../table/row.ts";
import { spilled } from "../table/spilled-attributes.ts";

export const trajectoryRow = row<Trajectory>("trajectory", {
  ...entityFields,
  userId: text,
  workflowId: text,
  name: text,
  description: text,
  dimensions: orNull(nested({ width: number, height: number, scale: maybe(number) })),
  isApproved: flag,
  originalInputValues: orNull(json<JsonObject>()),
  data: as("trajectory_data", orNull(spilled)),
  screens: orNull(spilled),
  isMain: orElse(flag, false),
  updatedAt: text,
});

export const parseTrajectory = trajectoryRow.parse;

export function trajectoryItem(trajectory: Trajectory): Item & Key {
  const { organizationId, id, workflowId, isApproved } = trajectory;
  return {
    ...trajectoryKey(organizationId, id),
    ...trajectoryRow.write(trajectory),
    ...createdAttributes(trajectory, {
      list: listPartitions.trajectories(organizationId),
      filter1: filterPartitions.trajectoriesByWorkflow(organizationId, workflowId),
      filter2: filterPartitions.trajectoriesByApproval(organizationId, isApproved),
    }),
  };
}

/** A change of some fields, without reading the trajectory. */
export function trajectoryChange(organizationId: OrganizationId, change: TrajectoryChange): Change {
  const { isApproved } = change;
  return trajectoryRow.change(change, {
    filter2_pk:
      isApproved === undefined
        ? undefined
        : filterPartitions.trajectoriesByApproval(organizationId, isApproved),
  });
}
