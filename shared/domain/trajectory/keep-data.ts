import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { DomainError } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { withLease } from "../idempotency/with-lease.ts";
import { InvalidInput } from "../invalid-input.ts";
import { type Json, jsonBytes } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";
import { inlineBytesMax, removeSpilled, type Spilled, spill } from "../spill.ts";
import type { TrajectoryDeps } from "./trajectory-deps.ts";
import type { TrajectoryScreens } from "./trajectory-element.ts";

type KeepDeps = Pick<TrajectoryDeps, "idempotencyRecords" | "logger" | "files" | "ids">;

export interface DataPlace {
  readonly organizationId: OrganizationId;
  readonly trajectoryId?: string;
}

export interface HeavyValues {
  readonly data?: readonly Json[] | undefined;
  readonly screens?: TrajectoryScreens | undefined;
}

export interface KeptData {
  readonly trajectoryId: string;
  readonly kept: { readonly data?: Spilled; readonly screens?: Spilled };
  readonly idempotency: Idempotency | undefined;
}

export function hasScreens(screens: TrajectoryScreens): boolean {
  const { expect, checks, reset, endsElsewhere = false, resetLacks = 0 } = screens;
  return endsElsewhere || resetLacks + expect.length + checks.length + reset.length > 0;
}

const objectNames = { data: "trajectory_data", screens: "screens" } as const;

/**
 * The lease makes a retry after a crash write the same object. A crash before `write` leaves an unnamed object. One
 * that `write` refuses is removed at once; after any other failure it may be named.
 */
export async function keepData<Result>(
  deps: KeepDeps,
  place: DataPlace,
  values: HeavyValues,
  idempotency: Idempotency | undefined,
  write: (kept: KeptData) => Promise<Result>,
): Promise<Result> {
  const idOf = (from: Idempotency | undefined) => place.trajectoryId ?? from?.ids[0] ?? deps.ids.uuid7();
  const keep = async (under: Idempotency | undefined): Promise<Result> => {
    const trajectoryId = idOf(under);
    const { organizationId } = place;
    const objectId = under?.ids[1] ?? deps.ids.uuid7();
    const kept: { data?: Spilled; screens?: Spilled } = {};
    for (const name of ["data", "screens"] as const) {
      const value = values[name];
      if (value === undefined) continue;
      const field = objectNames[name];
      kept[name] = await spill(
        deps,
        { organizationId, kind: "trajectory", id: trajectoryId, field, objectId },
        value as Json,
      );
    }
    try {
      return await write({ trajectoryId, kept, idempotency: under });
    } catch (error) {
      if (isRefusal(error)) await discard(deps, Object.values(kept));
      throw error;
    }
  };
  const isHeavy = Object.values(values).some(
    (value) => value !== undefined && jsonBytes(value as Json) > inlineBytesMax,
  );
  return isHeavy ? await withLease(deps, idempotency, keep) : await keep(idempotency);
}

const refusals: ReadonlySet<ErrorCode> = new Set(["not_found", "conflict", "changed_meanwhile"]);

/** Nothing was written before these errors. */
function isRefusal(error: unknown): boolean {
  if (error instanceof InvalidInput) return true;
  return error instanceof DomainError && refusals.has(error.code);
}

async function discard(deps: KeepDeps, fields: readonly Spilled[]): Promise<void> {
  try {
    await removeSpilled(deps, fields);
  } catch (cause) {
    deps.logger.warn("an object that nothing names is left to the sweeper", { cause });
  }
}
