/** What becomes of an occurrence while the run of an earlier one has not ended. */
export const overlaps = ["skip", "queue", "allow"] as const;
export type Overlap = (typeof overlaps)[number];

/** What became of an occurrence. */
export const occurrenceOutcomes = ["started", "queued", "skipped", "missed", "refused"] as const;
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number];

/** Why the service has switched a schedule off. */
export const scheduleStops = [
  "key_revoked",
  "key_expired",
  "workflow_deleted",
  "machine_deleted",
  "pool_deleted",
] as const;
export type ScheduleStop = (typeof scheduleStops)[number];

/** The limit bounds the reads of a list, and what one organization can have due in a minute. */
export const schedulesMax = 500;

/** A week. */
export const everyMinutesMax = 10_080;

/** An occurrence that is dealt with later than this is missed. */
export const lateMinutesMax = 60;

/** A schedule shows this many of its next times. */
export const nextTimesShown = 5;
