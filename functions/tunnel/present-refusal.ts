import { DomainError } from "../../shared/domain/errors.ts";
import { errorBody } from "../../shared/http/errors/error-response.ts";
import { statusOf } from "../../shared/http/errors/error-statuses.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";
import type { TunnelResult } from "./tunnel-event.ts";

/** What a driver may be refused with; it takes 401 and 403 as a sign to come back much later. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 409, 429]);

/** How a handshake ends that was not let in. The gateway hands on the status; the body is for those that see it. */
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
      "content-type": "application/json",
      ...(error.retryAfterSeconds !== undefined && { "retry-after": String(error.retryAfterSeconds) }),
    },
    body: JSON.stringify(errorBody(error, deps.clock.now())),
  };
}
