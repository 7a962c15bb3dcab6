import { type Caller, requireScope } from "../access/caller.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { createTrajectory } from "./create-trajectory.ts";
import { readContent } from "./read-data.ts";
import type { Trajectory } from "./trajectory.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";

/**
 * The copy is not approved, and belongs to the same workflow unless another is named.
 * @throws {DomainError} `insufficient_scope`, or `not_found` for either. @throws {AlreadyOnRecord}
 */
export async function duplicateTrajectory(
  deps: TrajectoryDeps,
  caller: Caller,
  input: { readonly trajectoryId: string; readonly into?: string },
  idempotency?: Idempotency,
): Promise<Trajectory> {
  requireScope(caller, "write");
  const original = await deps.trajectories.find(caller.organizationId, input.trajectoryId);
  const content = original && (await readContent(deps, original));
  if (!original || !content?.data) throw notFound("trajectory", input.trajectoryId);
  const { workflowId, name, description, dimensions, originalInputValues } = original;
  const copy = {
    ...(input.into === undefined ? { workflowId, name: copyName(name) } : { workflowId: input.into, name }),
    description,
    dimensions,
    originalInputValues,
  };
  const values = { data: content.data, ...content.screens };
  return await createTrajectory(deps, caller, { ...copy, ...values }, idempotency);
}

/** The maximum number of code points of a resource's name. */
const nameCharactersMax = 255;

/** A long name is shortened at its end to make room. */
export function copyName(name: string): string {
  const suffix = " (Copy)";
  const kept = [...name].slice(0, nameCharactersMax - suffix.length).join("");
  return `${kept}${suffix}`.trimStart();
}
