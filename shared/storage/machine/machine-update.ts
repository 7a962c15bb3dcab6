import type { Machine } from "../../domain/machine/machine.ts";
import type {
  MachineChange,
  UpdateMachineOptions,
  UpdateMachineOutcome,
} from "../../domain/machine/machine-store.ts";
import { type Condition, isLiving } from "../table/expression.ts";

type Expected = Pick<UpdateMachineOptions, "revision" | "clearingSince" | "reservation">;

/** The condition says the same as `refusal`, but for a session's pools, for which the revision is enough. */
export function updateCondition(change: MachineChange, { revision, clearingSince }: Expected): Condition {
  const reserves = typeof change.reservedSessionId === "string";
  return {
    expression: [
      isLiving,
      ...(revision === undefined ? [] : ["revision = :revision"]),
      ...(reserves
        ? [
            "(attribute_not_exists(reserved_session_id) OR reserved_session_id = :session)",
            "attribute_not_exists(clearing_since)",
          ]
        : []),
      ...(clearingSince === undefined
        ? []
        : ["clearing_since = :clearing", "attribute_not_exists(current_run_id)"]),
    ].join(" AND "),
    values: {
      ...(revision === undefined ? {} : { revision }),
      ...(reserves ? { session: change.reservedSessionId } : {}),
      ...(clearingSince === undefined ? {} : { clearing: clearingSince }),
    },
  };
}

export function refusal(
  machine: Machine | undefined,
  change: MachineChange,
  { revision, clearingSince, reservation }: Expected,
): Exclude<UpdateMachineOutcome, { readonly kind: "updated" }> | undefined {
  if (!machine || machine.deletedAt !== null) return { kind: "not_found" };
  if (revision !== undefined && machine.revision !== revision) return { kind: "changed" };
  if (clearingSince !== undefined) {
    const isCleared = machine.clearingSince === clearingSince && machine.currentRunId === null;
    return isCleared ? undefined : { kind: "not_cleared", machine };
  }
  const wanted = change.reservedSessionId ?? null;
  if (wanted === null) return undefined;
  const given = machine.reservedSessionId;
  if (given !== null && given !== wanted) return { kind: "reserved" };
  if (machine.clearingSince !== null) return { kind: "changed" };
  const isElsewhere =
    reservation?.session.status === "pending" &&
    reservation.session.poolIds.some((poolId) => !machine.poolIds.includes(poolId));
  return isElsewhere ? { kind: "session_elsewhere" } : undefined;
}
