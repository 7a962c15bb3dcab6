import type { Machine } from "../machine/machine.ts";
import type { Run } from "./run.ts";
import { nextStatuses } from "./run-status.ts";

/** An absent field is unchanged. */
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

export interface RunExpectation {
  readonly assignmentId?: string | undefined;
  /** A user may end a run without the proof of an assignment. @default false */
  readonly ofAnyAssignment?: boolean | undefined;
  readonly revision?: number | undefined;
  /** The end requires that no run of the session has begun since this was read. */
  readonly judgedOn?: JudgedOn | undefined;
  /** @default false */
  readonly mustRun?: boolean | undefined;
}

export interface JudgedOn {
  readonly machine: Pick<Machine, "id" | "revision">;
  readonly isSessionPending: boolean;
}

export type RunRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "illegal_transition"; readonly run: Run }
  | { readonly kind: "assignment_mismatch"; readonly run: Run }
  | { readonly kind: "inputs_frozen"; readonly run: Run }
  | { readonly kind: "changed" };

/** Stores repeat these rules in their conditions. */
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

export function changedRun(run: Run, change: RunChange): Run {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...run, ...given, revision: run.revision + 1 };
}
