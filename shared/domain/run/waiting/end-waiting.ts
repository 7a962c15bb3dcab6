import { type Clock, isoTimestamp } from "../../clock.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { SessionStore } from "../../session/session.ts";
import { isRunEntry, type QueueEntry } from "./queue-entry.ts";
import type { Target } from "./target.ts";
import type { WaitingEnd, WaitingStore } from "./waiting-store.ts";

export interface EndWaitingDeps {
  readonly waiting: Pick<WaitingStore, "oldest" | "endRuns">;
  readonly sessions: Pick<SessionStore, "end" | "removePlace">;
  readonly clock: Clock;
}

const pageEntries = 50;

/** A repeat continues where this stopped. @param end limits the effect to older entries (`untilMs`) or one chain. */
export async function endWaiting(
  deps: EndWaitingDeps,
  organizationId: OrganizationId,
  target: Target,
  end: WaitingEnd & { readonly untilMs?: number | undefined; readonly chainId?: string | undefined },
): Promise<void> {
  const { status, reason, untilMs = Number.POSITIVE_INFINITY, chainId } = end;
  for (let after: QueueEntry | undefined; ; ) {
    const page = await deps.waiting.oldest(organizationId, target, pageEntries, after);
    const due = page.filter(({ queuedAtMs }) => queuedAtMs <= untilMs);
    const runs = due
      .filter(isRunEntry)
      .filter(({ waiting }) => chainId === undefined || waiting.chainId === chainId);
    const endedAt = isoTimestamp(deps.clock.now());
    if (runs.length > 0) await deps.waiting.endRuns(runs, { status, reason, endedAt });
    if (chainId === undefined) {
      for (const { waiting } of due) {
        if (waiting.kind === "session") {
          await endSession(deps, organizationId, waiting.sessionId, { status, reason });
        }
      }
    }
    after = page.at(-1);
    if (after === undefined || page.length < pageEntries) return;
    // Older entries may follow those with priority.
    if (!after.isPriority && after.queuedAtMs > untilMs) return;
  }
}

/** The session's own place in a queue is removed last, so that a repeat finds it. Its running run continues. */
export async function endSession(
  deps: EndWaitingDeps,
  organizationId: OrganizationId,
  sessionId: string,
  end: WaitingEnd,
): Promise<void> {
  const session = await deps.sessions.end(organizationId, sessionId, isoTimestamp(deps.clock.now()));
  await endWaiting(deps, organizationId, { kind: "session", sessionId }, end);
  if (session !== undefined) await deps.sessions.removePlace(session);
}
