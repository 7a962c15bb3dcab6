import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import type { Trajectory } from "../../../shared/domain/trajectory/trajectory.ts";
import { anOrganization, timestampOf } from "./entities.ts";

export function aTrajectory(fields: Partial<Trajectory> = {}): Trajectory {
  const id = fields.id ?? v7();
  const createdAt = fields.createdAt ?? timestampOf(id);
  return {
    id,
    organizationId: anOrganization(),
    userId: randomUUID(),
    workflowId: v7(),
    name: "",
    description: "",
    dimensions: null,
    isApproved: false,
    hasBeenApproved: false,
    verifiedAt: null,
    isGenerated: false,
    runId: null,
    originalInputValues: null,
    data: { kind: "inline", value: [{ action: "click", x: 1, y: 2 }] },
    screens: null,
    isMain: false,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
    revision: 1,
    ...fields,
  };
}
