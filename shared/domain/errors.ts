/**
 * Every reason to refuse or fail, as clients see it in `error_code`.
 *
 * Closed on purpose: each transport maps it with `satisfies Record<ErrorCode, …>`, so that a code without a
 * status does not compile.
 */
export const errorCodes = [
  "bad_request",
  "missing_credentials",
  "invalid_credentials",
  "insufficient_scope",
  "not_found",
  "route_not_found",
  "conflict",
  "fingerprint_taken",
  "name_taken",
  "limit_reached",
  "tag_archived",
  "key_not_bound",
  "machine_secret_required",
  "machine_not_connected",
  "not_supported_by_driver",
  "machine_reserved",
  "too_many_pools",
  "illegal_transition",
  "assignment_mismatch",
  "run_not_running",
  "run_already_running",
  "not_a_worker_run",
  "session_ended",
  "secrets_gone",
  "request_in_progress",
  "idempotency_key_reused",
  "search_too_broad",
  "payload_too_large",
  "answer_too_large",
  "rate_limited",
  "driver_rejected",
  "driver_busy",
  "organization_busy",
  "driver_failed",
  "driver_connection_lost",
  "driver_timeout",
  "outcome_unknown",
  "service_unavailable",
  "internal_error",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface DomainErrorOptions {
  /** Shown to the caller: never a secret, a table name, an ARN or a key. */
  readonly details?: unknown;
  /** For transient errors: becomes the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** For a code that otherwise leaves open whether something was done. */
  readonly nothingDone?: boolean;
  /** The status of a driver's answer, for `driver_rejected` only. */
  readonly driverStatus?: number;
  readonly cause?: unknown;
}

/** An operation that cannot be done, for a reason that the caller can act on. Anything else thrown is a bug. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  readonly driverStatus: number | undefined;
  readonly nothingDone: boolean;

  /** @param message lower case: what was given and what would be right. */
  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.details = options.details ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.driverStatus = options.driverStatus;
    this.nothingDone = options.nothingDone ?? false;
  }
}
