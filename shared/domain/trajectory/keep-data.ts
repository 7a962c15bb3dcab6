import type { OrganizationId } from "../access/organization-id.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import { type Json, jsonBytes } from "../json.ts";
import { inlineBytesMax, removeSpilled, type Spilled, spill } from "../spill.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";

type KeepDeps = Pick<TrajectoryDeps, "idempotencyRecords" | "logger" | "files" | "ids">;

/** The owner of the data. */
export interface DataPlace {
  readonly organizationId: OrganizationId;
  /** Absent for a new trajectory, which gets its id with the data. */
  readonly trajectoryId?: string;
}

export interface KeptData {
  readonly trajectoryId: string;
  readonly data: Spilled;
  /** To be passed on to the store. */
  readonly idempotency: Idempotency | undefined;
}

/**
 * Stores a trajectory's data inline or as an object, then lets `write` name it. An object is written under a lease, so
 * that a retry after a crash writes the same object.
 *
 * A crash between the two leaves an unnamed object, never a dangling name. An object that `write` refuses as
 * `not_found` is removed at once; after any other failure it may be named.
 */
export async function keepData<Result>(
  deps: KeepDeps,
  place: DataPlace,
  value: readonly Json[],
  idempotency: Idempotency | undefined,
  write: (kept: KeptData) => Promise<Result>,
): Promise<Result> {
  const idOf = (from: Idempotency | undefined) => place.trajectoryId ?? from?.ids[0] ?? deps.ids.uuid7();
  if (jsonBytes(value) <= inlineBytesMax) {
    return await write({ trajectoryId: idOf(idempotency), data: { kind: "inline", value }, idempotency });
  }
  return await withLease(deps, idempotency, async (leased) => {
    const trajectoryId = idOf(leased);
    const { organizationId } = place;
    const objectId = leased?.ids[1] ?? deps.ids.uuid7();
    const where = {
      organizationId,
      kind: "trajectory",
      id: trajectoryId,
      field: "trajectory_data",
      objectId,
    };
    const data = await spill(deps, where, value);
    try {
      return await write({ trajectoryId, data, idempotency: leased });
    } catch (error) {
      if (error instanceof DomainError && error.code === "not_found") await discard(deps, data);
      throw error;
    }
  });
}

async function discard(deps: KeepDeps, data: Spilled): Promise<void> {
  try {
    await removeSpilled(deps, [data]);
  } catch (cause) {
    deps.logger.warn("an object that nothing names is left to the sweeper", { cause });
  }
}
