/** The way from words to a workflow that repeats itself. */
export const workSteps = ["describe", "record", "verify", "approve", "run"] as const;
export type WorkStep = (typeof workSteps)[number];

export const stepTitles = {
  describe: "Describe",
  record: "Show it once",
  verify: "Verify",
  approve: "Approve",
  run: "Run again",
} as const satisfies Record<WorkStep, string>;

interface KnownTrajectory {
  readonly id: string;
  readonly is_approved: boolean;
  readonly verified_at?: string | null | undefined;
  readonly is_main?: boolean | undefined;
}

interface NextStep {
  readonly step: WorkStep;
  /** The trajectory that it concerns. */
  readonly trajectoryId: string | undefined;
}

/** What a workflow needs next. One that is approved can run; the newest of the others is seen to. */
export function nextStep(trajectories: readonly KnownTrajectory[]): NextStep {
  const main = trajectories.find(({ is_main }) => is_main);
  if (main !== undefined) return { step: "run", trajectoryId: main.id };
  const [newest] = trajectories;
  if (newest === undefined) return { step: "record", trajectoryId: undefined };
  const verified = trajectories.find(({ verified_at }) => Boolean(verified_at));
  const best = verified ?? newest;
  return { step: verified === undefined ? "verify" : "approve", trajectoryId: best.id };
}
