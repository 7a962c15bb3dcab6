import type { OrganizationId } from "../organization-id.ts";
import type { RunStep, SavedValue } from "../run-step/run-step.ts";
import type { LastStepReader, StepReader } from "../run-step/step-reader.ts";
import type { Cursor, Execution, ExecutionJob } from "./execution.ts";

export type StepId = Pick<ExecutionJob, "organizationId" | "runId" | "assignmentId"> & {
  readonly index: number;
};

export type BeginOutcome =
  | { readonly kind: "begun"; readonly execution: Execution }
  | { readonly kind: "ended" }
  | { readonly kind: "taken"; readonly arn: string };

export type StepUnderWay =
  /** Nothing was sent. Zero tries means that none was counted. */
  | { readonly kind: "fresh"; readonly tries: number }
  | { readonly kind: "recorded"; readonly step: RunStep; readonly tries: number };

export interface ExecutionState {
  readonly execution: Execution | undefined;
  readonly lastStep: RunStep | undefined;
  readonly saved: readonly SavedValue[];
}

export type StepOutcome = Pick<
  RunStep,
  "status" | "error" | "text" | "match" | "screenshot" | "pictureKey"
> & {
  readonly durationMs: number;
  readonly trail: RunStep["trail"];
  readonly saved?: SavedValue | undefined;
};

export interface ExecutionStore extends StepReader, LastStepReader {
  /** Makes one consistent read. Undefined means that the run has ended, or has no execution. */
  find(organizationId: OrganizationId, runId: string): Promise<Execution | undefined>;
  /** Lists executions of all organizations whose start or check is due, the longest due first. */
  listDue(untilMs: number, limit: number): Promise<readonly Execution[]>;
  checkLater(execution: Execution): Promise<void>;
  /** One conditional write makes the execution the run's, unless the run has another one. */
  begin(job: ExecutionJob, arn: string): Promise<BeginOutcome>;
  /** The first plan stays; undefined means that the run has ended. */
  pin(job: ExecutionJob, planKey: string): Promise<string | undefined>;
  /** The next part has no ARN yet. False means that the run has ended or was handed over by another. */
  handOver(job: ExecutionJob, arn: string, cursor: Cursor): Promise<boolean>;
  /** False means that nobody holds the run any more, or that it has another execution. */
  awaitCallback(job: ExecutionJob, arn: string, callbackId: string): Promise<boolean>;
  /** The executor has gone on. */
  forgetCallback(job: ExecutionJob): Promise<void>;
  readState(job: ExecutionJob): Promise<ExecutionState>;

  countTry(step: StepId): Promise<StepUnderWay>;
  releaseTry(step: StepId): Promise<void>;
  /**
   * Records the intent in one transaction. False means that the run has another assignment: nothing may be done.
   * @param tries is the last count; 0 means that none was counted.
   * @throws {RunHeld} and nothing may be done, either.
   * @throws {Error} when another invocation has counted a try since, and so has the step.
   */
  recordSending(step: RunStep, arn: string, tries: number): Promise<boolean>;
  withdraw(step: StepId): Promise<void>;
  recordOutcome(step: StepId, outcome: StepOutcome): Promise<void>;
  /** Records a step that sends nothing; false means that the run has another assignment by now. @throws {RunHeld} */
  recordStep(step: RunStep, saved?: SavedValue): Promise<boolean>;

  /**
   * Each step gets the next index: one transaction, and one more for each concurrent writer. False means that the run
   * has another assignment. @throws {ChangedTooOften}
   */
  appendSteps(steps: readonly Omit<RunStep, "index">[], lastIndex: number): Promise<boolean>;
  /**
   * As `appendSteps`, while the run is held: the executor records no step meanwhile. False means that it is not held any
   * more. @throws {ChangedTooOften}
   */
  appendWhileHeld(steps: readonly Omit<RunStep, "index">[], lastIndex: number): Promise<boolean>;
  removeAll(organizationId: OrganizationId, runId: string): Promise<void>;
}
