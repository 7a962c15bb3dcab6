import { DomainError } from "../../shared/domain/errors.ts";
import { errorBody, statusOf } from "../../shared/http/errors/error-response.ts";
import { safeHeaders } from "../../shared/http/safe-headers.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";
import type { TunnelResult } from "./tunnel-event.ts";

/** Statuses for refusals; a driver takes 401, 403 and 428 as a sign to retry much later. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 409, 428, 429]);

/** The gateway passes on the status; the body is for clients that see it. */
export function presentRefusal(deps: Pick<TunnelDeps, "logger" | "clock">, thrown: unknown): TunnelResult {
  const isRefusal = thrown instanceof DomainError && refusalStatuses.has(statusOf(thrown));
  if (!isRefusal) deps.logger.error("handshake failed", { cause: thrown });
  const error = isRefusal
    ? thrown
    : new DomainError("internal_error", "the service failed; connect again later", { retryAfterSeconds: 1 });
  if (isRefusal) deps.logger.info("handshake refused", { error_code: error.code });
  return {
    statusCode: statusOf(error),
    headers: {
      ...safeHeaders,
      "content-type": "application/json",
      ...(error.retryAfterSeconds !== undefined && { "retry-after": String(error.retryAfterSeconds) }),
    },
    body: JSON.stringify(errorBody(error, deps.clock.now())),
  };
}
