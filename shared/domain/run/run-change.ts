import type { Machine } from "../machine/machine.ts";
import { changedMetadata, type MetadataChange } from "../metadata/metadata.ts";
import type { Run } from "./run.ts";
import { nextStatuses } from "./run-status.ts";

/** An absent field is unchanged. Metadata is merged with the pairs that the run has. */
export interface RunChange extends ChangedFields {
  readonly metadata?: MetadataChange | undefined;
}

export type ChangedFields = Partial<
  Pick<
    Run,
    | "status"
    | "held"
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
  /** The run must not be held. @default false */
  readonly mustBeFree?: boolean | undefined;
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
  | { readonly kind: "held" }
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
  if (expectation.mustBeFree === true && run.held !== null) return { kind: "held" };
  if (expectation.revision !== undefined && run.revision !== expectation.revision) return { kind: "changed" };
  return undefined;
}

/** @throws {InvalidInput} for too many pairs of metadata. */
export function changedRun(run: Run, { metadata: pairs, ...fields }: RunChange): Run {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const metadata = pairs === undefined ? run.metadata : changedMetadata(run.metadata, pairs);
  return { ...run, ...given, metadata, revision: run.revision + 1 };
}
