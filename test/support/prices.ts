/** Prices of us-east-1, November 2026, without free tiers; their sources are in DEPLOY.md, "What a million calls cost". */
export const usd = {
  connectionMinute: 0.25e-6,
  message: 1e-6,
  invocation: 0.2e-6,
  /** Arm; a second of 1,024 MB. */
  gigabyteSecond: 0.0000133334,
  write: 0.625e-6,
  read: 0.125e-6,
  httpRequest: 1e-6,
  durableOperation: 8e-6,
  bucketPut: 5e-6,
  bucketGet: 0.4e-6,
  logGigabyte: 0.5,
} as const;

export const hoursPerMonth = 730;

/** Assumed duration of a model's response. */
export const modelSeconds = 6;

/** Assumed duration of the rest of a model's step: its calls, the desktop, and the look after it. */
export const stepSeconds = 0.5;

/** Assumed duration of an invocation of `tunnel` with one write and one message. */
export const tunnelSeconds = 0.008;

/** Assumed duration of an invocation without the write. */
export const unnotedSeconds = 0.005;
