import type { OrganizationId } from "../organization-id.ts";
import type { RunStep, SavedValue } from "../run-step/run-step.ts";
import type { StepReader } from "../run-step/step-reader.ts";
import type { Cursor, Execution, ExecutionJob } from "./execution.ts";

/** Identifies a step. */
export type StepId = Pick<ExecutionJob, "organizationId" | "runId" | "assignmentId"> & {
  readonly index: number;
};

export type BeginOutcome =
  | { readonly kind: "begun"; readonly execution: Execution }
  /** The run has ended, or goes by another assignment. */
  | { readonly kind: "ended" }
  /** Another durable execution works on it. */
  | { readonly kind: "taken"; readonly arn: string };

export type StepUnderWay =
  /** Nothing was sent for it. Tries are 0 where none was counted. */
  | { readonly kind: "fresh"; readonly tries: number }
  /** As it was recorded: `sending`, or with its outcome. */
  | { readonly kind: "recorded"; readonly step: RunStep; readonly tries: number };

/** The state that a resumed execution reads. */
export interface ExecutionState {
  /** Undefined when the run has ended or goes by another assignment. */
  readonly execution: Execution | undefined;
  /** The last step that was recorded under this assignment. */
  readonly lastStep: RunStep | undefined;
  readonly saved: readonly SavedValue[];
}

/** A recorded step's outcome. */
export type StepOutcome = Pick<
  RunStep,
  "status" | "error" | "text" | "match" | "screenshot" | "pictureKey"
> & {
  readonly durationMs: number;
  readonly trail: RunStep["trail"];
  readonly saved?: SavedValue | undefined;
};

/** The rows of executions, beside their run's. */
export interface ExecutionStore extends StepReader {
  /** One consistent read; undefined when the run has ended, or is no execution's. */
  find(organizationId: OrganizationId, runId: string): Promise<Execution | undefined>;
  /** Begun too long ago without a sign of it, or to be checked again; of all organizations, due the longest first. */
  listDue(untilMs: number, limit: number): Promise<readonly Execution[]>;
  /** Puts the check off, unless the run has ended or is handed over. */
  checkLater(execution: Execution): Promise<void>;
  /** One conditional write: the execution is the run's, unless another one is. */
  begin(job: ExecutionJob, arn: string): Promise<BeginOutcome>;
  /**
   * Names what the run goes by, once: the first one stays.
   *
   * @returns the object that it goes by; undefined when the run has ended.
   */
  pin(job: ExecutionJob, planKey: string): Promise<string | undefined>;
  /** To the next part, which has no ARN yet; false when the run has ended or is handed over already by another. */
  handOver(job: ExecutionJob, arn: string, cursor: Cursor): Promise<boolean>;
  /** One query. */
  readState(job: ExecutionJob): Promise<ExecutionState>;
  /** Finds the run's last step, of any attempt. One query. */
  findLastStep(organizationId: OrganizationId, runId: string): Promise<RunStep | undefined>;

  /** Counts a try of the step, before anything else is done for it. One write. */
  countTry(step: StepId): Promise<StepUnderWay>;
  /** The step is left for later: its tries are counted anew. */
  releaseTry(step: StepId): Promise<void>;
  /**
   * Records what is about to be sent, on the condition that the run is still this assignment's. One transaction.
   *
   * @param tries as counted last, 0 for none: another invocation that has counted since has the step.
   * @returns false when it is not: nothing may be done.
   * @throws {Error} when another invocation has the step.
   */
  recordSending(step: RunStep, arn: string, tries: number): Promise<boolean>;
  /** Nothing was sent after all. */
  withdraw(step: StepId): Promise<void>;
  /** Records a step as it ended, with what it has saved. */
  recordOutcome(step: StepId, outcome: StepOutcome): Promise<void>;
  /** A step that sends nothing, whole; false when the run is not this assignment's any more. */
  recordStep(step: RunStep, saved?: SavedValue): Promise<boolean>;

  /**
   * Appends a worker's steps, each with the next index, on the condition that the run is still their assignment's. One
   * transaction; one more for each that came before.
   *
   * @param lastIndex as it was read.
   * @returns false when it is not.
   * @throws {ChangedTooOften}
   */
  appendSteps(steps: readonly Omit<RunStep, "index">[], lastIndex: number): Promise<boolean>;
  /** All rows of the run's executions. Idempotent, page by page: what is removed stays so after an interruption. */
  removeAll(organizationId: OrganizationId, runId: string): Promise<void>;
}
