import { ifNoneMatch, screenshotPath, waitingLooksMax } from "../../../shared/vocabulary/drivers.ts";
import type { WholeRequest } from "./request-assembler.ts";

const waitParameter = "wait_ms";

/** Requests that wait for another picture are none of the four in progress, so that no action is refused for them. */
export class WaitingLooks {
  #waiting = 0;

  /** Returns undefined for a request that does not wait, or may not: as many as may do already. */
  begin(request: WholeRequest): (() => void) | undefined {
    if (!isWaiting(request) || this.#waiting >= waitingLooksMax) return undefined;
    this.#waiting += 1;
    return () => {
      this.#waiting -= 1;
    };
  }
}

function isWaiting({ path, query, headers }: WholeRequest): boolean {
  const waitMs = Number(new URLSearchParams(query).get(waitParameter) ?? 0);
  return path === screenshotPath && waitMs > 0 && headers[ifNoneMatch] !== undefined;
}

export function withoutWait(request: WholeRequest): WholeRequest {
  const query = new URLSearchParams(request.query);
  if (!query.has(waitParameter)) return request;
  query.delete(waitParameter);
  return { ...request, query: query.toString() };
}
