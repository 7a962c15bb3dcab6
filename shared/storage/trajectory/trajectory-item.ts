import type { Edit } from "../../domain/entity/edition.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type { TrajectoryChange } from "../../domain/trajectory/trajectory-store.ts";
import { withNextEdition } from "../entity/edition-writes.ts";
import { countWrite } from "../table/counters.ts";
import {
  type Change,
  type Condition,
  check,
  isNew,
  isThere,
  living,
  put,
  remove,
  update,
} from "../table/expression.ts";
import { createdAttributes, filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { mainTrajectoryKey, trajectoryKey, workflowKey } from "../table/keys.ts";
import {
  as,
  editedFields,
  flag,
  json,
  maybe,
  nested,
  number,
  orElse,
  orNull,
  row,
  tenant,
  text,
} from "../table/row.ts";
import { spilled } from "../table/spilled-attributes.ts";
import type { Parts } from "../table/transaction.ts";

export const trajectoryRow = row<Trajectory>("trajectory", {
  ...editedFields,
  userId: text,
  workflowId: text,
  name: text,
  description: text,
  dimensions: orNull(nested({ width: number, height: number, scale: maybe(number) })),
  isApproved: flag,
  hasBeenApproved: orElse(flag, false),
  verifiedAt: orNull(text),
  isGenerated: orElse(flag, false),
  runId: orNull(text),
  originalInputValues: orNull(json<JsonObject>()),
  data: as("trajectory_data", orNull(spilled)),
  screens: orNull(spilled),
  isMain: orElse(flag, false),
  updatedAt: text,
});

export const parseTrajectory = trajectoryRow.parse;

interface MainTrajectory {
  readonly organizationId: OrganizationId;
  readonly workflowId: string;
  readonly trajectoryId: string;
}

export const mainTrajectoryRow = row<MainTrajectory>("main_trajectory", {
  organizationId: tenant,
  workflowId: text,
  trajectoryId: text,
});

export function mainParts(
  { organizationId, workflowId, id, isMain }: Trajectory,
  main: Trajectory | undefined,
  { pointedAt, edit }: { readonly pointedAt: string | undefined; readonly edit: Edit | undefined },
): Parts<"workflow" | "pointer" | "other"> {
  const key = mainTrajectoryKey(organizationId, workflowId);
  if (!isMain) return { pointer: remove(key, isPointerTo(id)) };
  const pointer = { ...key, ...mainTrajectoryRow.write({ organizationId, workflowId, trajectoryId: id }) };
  const isMainNoMore = trajectoryRow.change({ isMain: false });
  return {
    workflow: check(workflowKey(organizationId, workflowId), living),
    pointer: put(pointer, pointedAt === undefined ? isNew : isPointerTo(pointedAt)),
    other:
      main === undefined || main.id === id
        ? undefined
        : update(
            trajectoryKey(organizationId, main.id),
            edit ? withNextEdition(isMainNoMore) : isMainNoMore,
            isThere,
          ),
  };
}

export function isPointerTo(trajectoryId: string): Condition {
  return {
    expression: "attribute_not_exists(pk) OR trajectory_id = :trajectory_id",
    values: { trajectory_id: trajectoryId },
  };
}

function trajectoryItem(trajectory: Trajectory): Item & Key {
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

/** The trajectory's workflow must exist. */
export function trajectoryCreation(trajectory: Trajectory) {
  const { organizationId, workflowId } = trajectory;
  return {
    workflow: check(workflowKey(organizationId, workflowId), living),
    trajectory: put(trajectoryItem(trajectory), isNew),
    count: countWrite("TRAJECTORY", trajectory, 1),
  };
}

export function trajectoryChange(organizationId: OrganizationId, change: TrajectoryChange): Change {
  const { isApproved } = change;
  return trajectoryRow.change(change, {
    filter2_pk:
      isApproved === undefined
        ? undefined
        : filterPartitions.trajectoriesByApproval(organizationId, isApproved),
  });
}
