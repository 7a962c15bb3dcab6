import type { RecordingStatus } from "../../vocabulary/recordings.ts";
import type { MachineHold } from "../hold/hold.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, CreatedRange, Page, PageRequest } from "../page.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import type { Warned } from "../trajectory/trajectory-store.ts";
import type { Recording } from "./recording.ts";

export interface RecordingFilter extends CreatedRange {
  readonly machineId?: AnyOf<string>;
  readonly workflowId?: AnyOf<string>;
  readonly status?: AnyOf<RecordingStatus>;
}

export type RecordingChange = Partial<Pick<Recording, "status" | "until">>;

/** The fields that recorded steps change. */
export type RecordedChange = Pick<
  Recording,
  "elementCount" | "lastIndex" | "lastPicture" | "painted" | "inputValues"
>;

export type FinishOutcome = "finished" | "workflow_not_found" | "changed";

export interface RecordedSteps {
  /** The request's own id: its steps are written once. */
  readonly callId: string | undefined;
  readonly steps: readonly RunStep[];
  readonly change: RecordedChange;
}

/**
 * A recording and the hold of its machine change in one transaction. Writes are conditional on what was read; `machine`
 * is as read, or undefined if it is gone or its hold is another one.
 */
export interface RecordingStore {
  find(organizationId: OrganizationId, id: string): Promise<Recording | undefined>;
  /** Lists newest first. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: RecordingFilter, page: PageRequest): Promise<Page<Recording>>;
  /** The machine must still be free, and loses its idle rows. @throws {AlreadyOnRecord} */
  start(
    recording: Recording,
    machine: Machine,
    held: MachineHold,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** @param held is the machine's hold from then on. @throws {AlreadyOnRecord} */
  change(
    before: Recording,
    change: RecordingChange,
    holding: { readonly machine: Machine | undefined; readonly held: MachineHold | null },
    idempotency?: Idempotency,
  ): Promise<Recording | undefined>;
  /** The trajectory is created in the same transaction. @throws {AlreadyOnRecord} */
  finish(
    before: Recording,
    machine: Machine | undefined,
    trajectory: Trajectory & Warned,
    idempotency?: Idempotency,
  ): Promise<FinishOutcome>;
  /** "repeated" means that the call's steps are there already. */
  append(before: Recording, recorded: RecordedSteps): Promise<"recorded" | "repeated" | "changed">;
  listSteps(organizationId: OrganizationId, id: string, page: PageRequest): Promise<Page<RunStep>>;
  findStep(organizationId: OrganizationId, id: string, index: number): Promise<RunStep | undefined>;
  /** Lists recordings of all organizations that have expired, or whose steps are to be removed, the longest due first. */
  listDue(untilMs: number, limit: number): Promise<readonly Recording[]>;
  /** Removes the steps, then the recording from the due ones. */
  removeSteps(recording: Recording): Promise<void>;
}
