/** Prices of us-east-1, November 2026, without free tiers; their sources are in DEPLOY.md, "What a million calls cost". */
export const usd = {
  connectionMinute: 0.25e-6,
  message: 1e-6,
  invocation: 0.2e-6,
  /** Arm; a second of 1,024 MB. */
  gigabyteSecond: 0.0000133334,
  write: 0.625e-6,
  read: 0.125e-6,
} as const;

export const hoursPerMonth = 730;

/** Assumed duration of an invocation of `tunnel` with one write and one message. */
export const tunnelSeconds = 0.008;

/** Assumed duration of an invocation without the write. */
export const unnotedSeconds = 0.005;
