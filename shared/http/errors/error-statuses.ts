import type { DomainError, ErrorCode } from "../../domain/errors.ts";

/** The HTTP status of each error code. A code left out does not compile. */
const statusByCode = {
  bad_request: 400,
  missing_credentials: 403,
  invalid_credentials: 401,
  insufficient_scope: 403,
  not_found: 404,
  route_not_found: 404,
  conflict: 409,
  fingerprint_taken: 409,
  name_taken: 409,
  limit_reached: 409,
  tag_archived: 409,
  key_not_bound: 403,
  machine_secret_required: 428,
  machine_not_connected: 409,
  not_supported_by_driver: 409,
  machine_reserved: 409,
  too_many_pools: 409,
  illegal_transition: 409,
  assignment_mismatch: 409,
  run_not_running: 409,
  not_a_worker_run: 409,
  run_already_running: 409,
  session_ended: 409,
  secrets_gone: 409,
  request_in_progress: 409,
  idempotency_key_reused: 422,
  search_too_broad: 422,
  payload_too_large: 413,
  answer_too_large: 413,
  rate_limited: 429,
  driver_rejected: 400,
  driver_busy: 429,
  organization_busy: 429,
  driver_failed: 502,
  driver_connection_lost: 502,
  driver_timeout: 504,
  outcome_unknown: 504,
  service_unavailable: 503,
  internal_error: 500,
} as const satisfies Record<ErrorCode, number>;

/**
 * A driver's own 4xx is passed on, but for those of credentials: the desktop's are no concern of the caller's, whose client
 * would take them for its own.
 */
export function statusOf(error: DomainError): number {
  const { driverStatus } = error;
  const handedOn = error.code === "driver_rejected" && driverStatus !== undefined;
  if (!handedOn || driverStatus < 400 || driverStatus >= 500) return statusByCode[error.code];
  return driverStatus === 401 || driverStatus === 403 ? statusByCode.driver_failed : driverStatus;
}
