import { DomainError } from "../domain/errors.ts";

/**
 * True for a transient failure, which the SDK has already retried, and for a reply that is none: it is not HTTP, cannot be
 * read, or is a redirection, which is never followed.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError" || error.name === "AbortError") return true;
  const { code, $metadata } = error as Error & {
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  if (
    typeof code === "string" &&
    /^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|HPE_)/.test(code)
  ) {
    return true;
  }
  const status = $metadata?.httpStatusCode;
  return status !== undefined && (status < 400 || status >= 500);
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

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && throttlings.has(error.name);
}

/** True if the same work may succeed later. Several failures together pass when any of them does. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isPassing);
  if (error instanceof DomainError)
    return error.code === "service_unavailable" || error.code === "rate_limited";
  if (isAway(error) || isThrottled(error)) return true;
  if (!(error instanceof Error)) return false;
  const { $metadata } = error as Error & { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode === 429 || (error.cause !== undefined && isPassing(error.cause));
}
