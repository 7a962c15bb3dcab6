/**
 * Every `error_code`, with its status and its meaning for callers. `shared/domain/errors.ts` has the same codes inside
 * the service, and does not compile when the contract lacks one.
 */
export const errorCodes = {
  bad_request: { status: 400, meaning: "The request line or a header cannot be read." },
  driver_rejected: {
    status: 400,
    meaning:
      "The desktop's driver refused; the status is the driver's own 4xx, or 502 for its 401 and 403, and its text is in `details`.",
  },
  invalid_credentials: { status: 401, meaning: "The credentials are not valid, or not any more." },
  missing_credentials: { status: 403, meaning: "No credentials were sent." },
  insufficient_scope: { status: 403, meaning: "The credentials have none of the scopes that this takes." },
  key_not_bound: { status: 403, meaning: "The machine belongs to another API key." },
  not_found: {
    status: 404,
    meaning: "No such resource in the credentials' organization.",
  },
  route_not_found: { status: 404, meaning: "No such method and path." },
  conflict: { status: 409, meaning: "The resource is not as this takes it to be." },
  fingerprint_taken: { status: 409, meaning: "The organization has a machine with this fingerprint." },
  name_taken: { status: 409, meaning: "The organization has one of this name." },
  limit_reached: { status: 409, meaning: "There may be no more of them; the message says how many." },
  too_many_pools: { status: 409, meaning: "A machine can be in no more pools." },
  tag_archived: { status: 409, meaning: "An archived tag cannot be assigned." },
  machine_not_connected: { status: 409, meaning: "The desktop is not connected; nothing was done." },
  not_supported_by_driver: {
    status: 409,
    meaning: "The desktop's driver is too old for this, or does not do it; nothing was done.",
  },
  machine_reserved: { status: 409, meaning: "The machine is reserved for another session." },
  illegal_transition: {
    status: 409,
    meaning: "The run cannot go from its status to this one; `details` names those it can.",
  },
  assignment_mismatch: { status: 409, meaning: "The run has another assignment." },
  not_a_worker_run: { status: 409, meaning: "The service itself carries the run out." },
  run_not_running: { status: 409, meaning: "The run is not running." },
  run_already_running: {
    status: 409,
    meaning: "The service carries the run out already: its input files are those that it had before.",
  },
  session_ended: { status: 409, meaning: "The session has ended." },
  secrets_gone: {
    status: 409,
    meaning: "Sensitive values that are needed again are gone; `details` names them.",
  },
  request_in_progress: {
    status: 409,
    meaning:
      "The first request under this Idempotency-Key is still being processed; retry after Retry-After seconds.",
  },
  machine_secret_required: {
    status: 428,
    meaning: "At a driver's handshake: the machine has a secret of its own, and this is not it.",
  },
  payload_too_large: { status: 413, meaning: "The body is larger than this takes." },
  answer_too_large: { status: 413, meaning: "The response is larger than can be sent; request less." },
  idempotency_key_reused: {
    status: 422,
    meaning: "This Idempotency-Key was used for another request.",
  },
  search_too_broad: { status: 422, meaning: "The search would read too much; request a narrower range." },
  rate_limited: { status: 429, meaning: "Too many requests; retry after Retry-After seconds." },
  organization_busy: {
    status: 429,
    meaning: "The organization has as many calls to its desktops under way as it may; nothing was done.",
  },
  driver_busy: { status: 429, meaning: "The desktop works on as many requests as it takes." },
  internal_error: { status: 500, meaning: "The service failed; please report the request id." },
  driver_failed: { status: 502, meaning: "The desktop's driver failed." },
  driver_connection_lost: {
    status: 502,
    meaning: "The desktop's connection was lost during the call: it may have been done.",
  },
  service_unavailable: {
    status: 503,
    meaning: "Something that this needs is away, or is being changed too often; ask again.",
  },
  driver_timeout: { status: 504, meaning: "The desktop did not respond in time: it may have been done." },
  outcome_unknown: {
    status: 504,
    meaning: "Whether it was done is unknown; the same response for ever under this Idempotency-Key.",
  },
} as const satisfies Record<string, { readonly status: number; readonly meaning: string }>;

export type WireErrorCode = keyof typeof errorCodes;
