import type { OccurrenceOutcome, Overlap, ScheduleStop } from "../../vocabulary/schedules.ts";
import type { Edited } from "../entity/edition.ts";
import type { JsonObject } from "../json.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Spilled } from "../spill.ts";
import type { Recurrence } from "./occurrences.ts";

/** A file of a schedule without its content, which is in the schedule's `files`. */
export interface ScheduleFile {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly targetPath: string | null;
  readonly cleanupImportsAfterRun: boolean;
}

export interface MissedOccurrences {
  readonly firstDueAt: string;
  readonly lastDueAt: string;
  readonly count: number;
}

export interface Schedule extends Edited, Recurrence {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** The runs are this user's. */
  readonly userId: string;
  /** The API key that the schedule was created with, and stops with; null for a dashboard session. */
  readonly keyId: string | null;
  readonly name: string;
  readonly workflowId: string;
  readonly machineId: string | null;
  readonly poolIds: readonly string[];
  readonly inputValues: JsonObject;
  readonly files: readonly ScheduleFile[];
  /** The contents of `files` in base64, in their order; null without files. */
  readonly contents: Spilled | null;
  readonly metadata: Metadata;
  readonly isEnabled: boolean;
  readonly disabledReason: ScheduleStop | null;
  readonly overlap: Overlap;
  /** The occurrence to be dealt with next; null when the schedule is switched off, or over. */
  readonly dueAt: string | null;
  /** The occurrence whose run waits for the end of the run before. */
  readonly waitingDueAt: string | null;
  /** The last occurrence that the service has dealt with. */
  readonly lastDueAt: string | null;
  /** The time at which it was dealt with. */
  readonly lastFiredAt: string | null;
  readonly lastOutcome: OccurrenceOutcome | null;
  /** The last run that the schedule has started, by an occurrence. */
  readonly lastRunId: string | null;
  /** The occurrences that the last write has left out because it came too late. */
  readonly missed: MissedOccurrences | null;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly revision: number;
}
