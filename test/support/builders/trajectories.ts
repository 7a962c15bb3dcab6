import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import type { Trajectory } from "../../../shared/domain/trajectory/trajectory.ts";
import { newEntity } from "./entities.ts";

export function aTrajectory(fields: Partial<Trajectory> = {}): Trajectory {
  return {
    ...newEntity(fields),
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
    deletedAt: null,
    edition: 0,
    ...fields,
  };
}
