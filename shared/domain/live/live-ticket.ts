import { liveTicketSeconds, viewersMax } from "../../vocabulary/live.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import type { Clock } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { ViewerStore } from "./viewer-store.ts";

/** A caller's permission to open the live channel once. */
export interface LiveTicket {
  /** The ticket's text is random and not kept. */
  readonly digest: string;
  readonly organizationId: OrganizationId;
  readonly principal: string;
  readonly keyId: string | null;
  /** The end of the caller's session; null for a key. */
  readonly sessionEndsAtMs: number | null;
  readonly expiresAtMs: number;
}

export interface LiveTicketStore {
  issue(ticket: LiveTicket): Promise<void>;
  /** Returns the ticket exactly once, and undefined when it is used, expired or unknown. */
  redeem(digest: string): Promise<LiveTicket | undefined>;
}

export interface CreateLiveTicketDeps {
  readonly liveTickets: Pick<LiveTicketStore, "issue">;
  readonly viewers: Pick<ViewerStore, "list">;
  readonly clock: Pick<Clock, "now">;
  readonly mintLiveTicket: () => { readonly text: string; readonly digest: string };
}

/** @throws {DomainError} `insufficient_scope`, or `rate_limited` when the organization's places are taken. */
export async function createLiveTicket(
  deps: CreateLiveTicketDeps,
  caller: Caller,
): Promise<{ readonly text: string; readonly expiresAtMs: number }> {
  requireScope(caller, "read");
  const { organizationId, principal, keyId, sessionEndsAtMs = null } = caller;
  if ((await deps.viewers.list(organizationId)).length >= viewersMax) throw noPlace();
  const { text, digest } = deps.mintLiveTicket();
  const expiresAtMs = deps.clock.now() + liveTicketSeconds * 1_000;
  await deps.liveTickets.issue({ digest, organizationId, principal, keyId, sessionEndsAtMs, expiresAtMs });
  return { text, expiresAtMs };
}

const fullRetrySeconds = 60;

export function noPlace(): DomainError {
  const problem = `the organization has ${viewersMax} viewers of the live channel, as many as it may have`;
  return new DomainError("rate_limited", problem, { retryAfterSeconds: fullRetrySeconds });
}
