/**
 * Whether an AWS service did not respond, or responded with a fault of its own (5xx): a transient failure, which the
 * SDK has retried already.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError" || error.name === "AbortError") return true;
  const { code, $metadata } = error as Error & {
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if (typeof code === "string" && /^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code)) {
    return true;
  }
  return ($metadata?.httpStatusCode ?? 0) >= 500;
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html */
const throttlings: ReadonlySet<string> = new Set([
  "ThrottlingException",
  "ThrottlingError",
  "Throttling",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "SlowDown",
]);

/** Whether an AWS service refused for now, after the SDK's own retries. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttlings.has(error.name);
}
