import { viewerSecondsMax } from "../../vocabulary/live.ts";
import { type ApiKeyStore, isUsable } from "../access/api-key.ts";
import { type Clock, type Ids, isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { type LiveTicketStore, noPlace } from "./live-ticket.ts";
import type { SeatedViewer } from "./viewer.ts";
import type { ViewerStore } from "./viewer-store.ts";

export interface ConnectViewerDeps {
  readonly liveTickets: Pick<LiveTicketStore, "redeem">;
  readonly viewers: Pick<ViewerStore, "open">;
  readonly keys: Pick<ApiKeyStore, "find">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
}

/**
 * A ticket that was redeemed before a crash is used up; its caller asks for another one.
 *
 * @throws {DomainError} `invalid_credentials`, or `rate_limited` when the organization's places are taken.
 */
export async function connectViewer(
  deps: ConnectViewerDeps,
  { digest, websocketId }: { readonly digest: string; readonly websocketId: string },
): Promise<SeatedViewer> {
  const ticket = await deps.liveTickets.redeem(digest);
  if (ticket === undefined) throw rejected();
  const { organizationId, principal, keyId, sessionEndsAtMs } = ticket;
  const nowMs = deps.clock.now();
  if (keyId !== null) {
    const key = await deps.keys.find(keyId);
    if (!key || !isUsable(key, nowMs)) throw rejected();
  }
  const endsAtMs = Math.min(nowMs + viewerSecondsMax * 1_000, sessionEndsAtMs ?? Number.POSITIVE_INFINITY);
  if (endsAtMs <= nowMs) throw rejected();
  const viewer = await deps.viewers.open({
    id: deps.ids.uuid7(),
    organizationId,
    websocketId,
    principal,
    keyId,
    topics: [],
    openedAt: isoTimestamp(nowMs),
    endsAtMs,
  });
  if (viewer === undefined) throw noPlace();
  return viewer;
}

function rejected(): DomainError {
  return new DomainError("invalid_credentials", "the ticket is not valid, or not any more");
}
