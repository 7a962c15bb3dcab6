/** The HTTP status of every `error_code`. The list is closed on purpose. */
export const errorStatuses = {
  bad_request: 400,
  driver_rejected: 400,
  invalid_credentials: 401,
  missing_credentials: 403,
  insufficient_scope: 403,
  key_not_bound: 403,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  fingerprint_taken: 409,
  name_taken: 409,
  limit_reached: 409,
  too_many_pools: 409,
  tag_archived: 409,
  machine_not_connected: 409,
  not_supported_by_driver: 409,
  machine_reserved: 409,
  machine_held: 409,
  illegal_transition: 409,
  assignment_mismatch: 409,
  not_a_worker_run: 409,
  not_a_service_run: 409,
  run_not_running: 409,
  run_already_running: 409,
  session_ended: 409,
  secrets_gone: 409,
  request_in_progress: 409,
  changed_meanwhile: 412,
  machine_secret_required: 428,
  payload_too_large: 413,
  answer_too_large: 413,
  idempotency_key_reused: 422,
  search_too_broad: 422,
  rate_limited: 429,
  organization_busy: 429,
  driver_busy: 429,
  internal_error: 500,
  driver_failed: 502,
  driver_connection_lost: 502,
  service_unavailable: 503,
  driver_timeout: 504,
  outcome_unknown: 504,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** The log's `error_code` of a failure that the operator distinguishes and the caller need not. */
export const loggedErrorCodes = { secretsFull: "secrets_full" } as const;

export type LoggedErrorCode = (typeof loggedErrorCodes)[keyof typeof loggedErrorCodes];

/** The sentences are separate from the statuses, so that no function's bundle has them. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  bad_request: "The request line or a header cannot be read.",
  driver_rejected:
    "The desktop's driver refused; the status is the driver's own 4xx, or 502 for its 401 and 403, and its text is in `details`.",
  invalid_credentials: "The API key or token is unknown here, has expired, or was deleted.",
  missing_credentials: "No credentials were sent.",
  insufficient_scope: "The credentials have none of the scopes that this takes.",
  key_not_bound: "The machine belongs to another API key.",
  not_found: "No such resource in the credentials' organization.",
  route_not_found: "No such method and path.",
  method_not_allowed: "The path takes other methods; `Allow` names them.",
  conflict: "The resource is not as this takes it to be.",
  fingerprint_taken: "The organization has a machine with this fingerprint.",
  name_taken: "The organization has one of this name.",
  limit_reached: "There may be no more of them; the message says how many.",
  too_many_pools: "A machine can be in no more pools.",
  tag_archived: "An archived tag cannot be assigned.",
  machine_not_connected: "The desktop is not connected; nothing was done.",
  not_supported_by_driver:
    "The desktop's driver is too old for this, does not do it, or was told to refuse it, such as shell commands; nothing was done.",
  machine_reserved: "The machine is reserved for another session.",
  machine_held:
    "Somebody else drives the desktop, or a model asks for a person; `details` says who and until when, and nothing was done.",
  illegal_transition: "The run cannot go from its status to this one; `details` names those it can.",
  assignment_mismatch: "The run has another assignment.",
  not_a_worker_run: "The service itself carries the run out.",
  not_a_service_run: "A worker carries the run out.",
  run_not_running: "The run is not running.",
  run_already_running:
    "The service carries the run out already: its input files are those that it had before.",
  session_ended: "The session has ended.",
  secrets_gone: "Sensitive values that are needed again are gone; `details` names them.",
  request_in_progress:
    "The first request under this Idempotency-Key is still being processed; retry after Retry-After seconds.",
  changed_meanwhile:
    "Somebody has edited the resource since: its `ETag` is none of those in `If-Match`; nothing was done, and `details` names the present one.",
  machine_secret_required:
    "At a driver's handshake: the machine has a secret of its own, and this is not it.",
  payload_too_large: "The body is larger than this takes.",
  answer_too_large: "The response is larger than can be sent; request less.",
  idempotency_key_reused: "This Idempotency-Key was used for another request.",
  search_too_broad: "The search would read too much; request a narrower range.",
  rate_limited: "Too many requests; retry after Retry-After seconds.",
  organization_busy:
    "The organization has as many calls to its desktops, or webhooks, under way as it may; nothing was done.",
  driver_busy: "The desktop works on as many requests as it takes.",
  internal_error: "The service failed; please report the request id.",
  driver_failed: "The desktop's driver failed.",
  driver_connection_lost: "The desktop's connection was lost during the call: it may have been done.",
  service_unavailable: "Something that this needs is away, or is being changed too often; ask again.",
  driver_timeout: "The desktop did not respond in time: it may have been done.",
  outcome_unknown: "Whether it was done is unknown; the same response for ever under this Idempotency-Key.",
};
