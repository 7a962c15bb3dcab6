import type { Machine } from "../machine/machine.ts";
import type { Run } from "./run.ts";
import { nextStatuses } from "./run-status.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type RunChange = Partial<
  Pick<
    Run,
    | "status"
    | "error"
    | "errorCode"
    | "outputData"
    | "outputAttachmentIds"
    | "runMessageHistory"
    | "inputValues"
    | "usageMetadata"
    | "modelTokens"
    | "startedAt"
    | "endedAt"
    | "releaseSessionAfter"
  >
>;

/** Conditions on the run's state, besides its existence. */
export interface RunExpectation {
  /** Required while running: the worker's proof that it holds the run. */
  readonly assignmentId?: string | undefined;
  /** For a user's end, which needs no such proof. @default false */
  readonly ofAnyAssignment?: boolean | undefined;
  /** Write only if the run is still at this revision. */
  readonly revision?: number | undefined;
  /** End it only if that is still so: then no run of its session has begun since it was judged. */
  readonly judgedOn?: JudgedOn | undefined;
  /** For callers that may change a run only while it is running. @default false */
  readonly mustRun?: boolean | undefined;
}

/** The rows that a waiting run was judged on, besides itself. */
export interface JudgedOn {
  /** It was free to take the run. */
  readonly machine: Pick<Machine, "id" | "revision">;
  /** The run's session had no machine. */
  readonly isSessionPending: boolean;
}

export type RunRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "illegal_transition"; readonly run: Run }
  | { readonly kind: "assignment_mismatch"; readonly run: Run }
  /** Inputs are frozen once a machine has the run. */
  | { readonly kind: "inputs_frozen"; readonly run: Run }
  | { readonly kind: "changed" };

/** The rule that forbids the change; undefined when none does. Stores repeat these rules in their conditions. */
export function refusalOf(
  run: Run | undefined,
  change: RunChange,
  expectation: RunExpectation,
): RunRefusal | undefined {
  if (run === undefined || run.deletedAt !== null) return { kind: "not_found" };
  if (change.status !== undefined && !nextStatuses(run.status).includes(change.status)) {
    return { kind: "illegal_transition", run };
  }
  if (change.inputValues !== undefined && run.status !== "scheduling") return { kind: "inputs_frozen", run };
  const isOwn = expectation.ofAnyAssignment === true || run.assignmentId === (expectation.assignmentId ?? "");
  if (run.status === "running" ? !isOwn : expectation.mustRun === true) {
    return { kind: "assignment_mismatch", run };
  }
  if (expectation.revision !== undefined && run.revision !== expectation.revision) return { kind: "changed" };
  return undefined;
}

/** The run after the change. */
export function changedRun(run: Run, change: RunChange): Run {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...run, ...given, revision: run.revision + 1 };
}
