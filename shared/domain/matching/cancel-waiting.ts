import { forEachBounded } from "../bounded-parallel.ts";
import { isoTimestamp } from "../clock.ts";
import type { OrganizationId } from "../organization-id.ts";
import { isRunEntry } from "../run/waiting/queue-entry.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MatchRound } from "./match-round.ts";
import type { QueuedEntry, QueuedRun } from "./match-store.ts";

const pageEntries = 100;

/** Cancels all runs that wait in an ended session, which no run can join any more. @throws {OutOfTime} */
export async function endSessionQueue(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<void> {
  const reason = "its session ended before the run began";
  await cancelEach(deps, round, organizationId, sessionId, reason, () => true);
}

/** Cancels the steps of a chain that wait behind a failed one. @throws {OutOfTime} */
export async function endChainQueue(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  { sessionId, chainId }: { readonly sessionId: string; readonly chainId: string },
): Promise<void> {
  const reason = "an earlier step of its chain failed";
  const isStep = (entry: QueuedRun) => entry.waiting.chainId === chainId;
  await cancelEach(deps, round, organizationId, sessionId, reason, isStep);
}

async function cancelEach(
  deps: MatchDeps,
  round: MatchRound,
  organizationId: OrganizationId,
  sessionId: string,
  reason: string,
  isMeant: (entry: QueuedRun) => boolean,
): Promise<void> {
  const target = { kind: "session", sessionId } as const;
  for (let after: QueuedEntry | undefined; ; ) {
    round.requireShare(organizationId);
    const page = await deps.matches.queue(organizationId, target, pageEntries, after);
    const meant = page.filter(isRunEntry).filter(isMeant);
    await forEachBounded(meant, (entry) => cancel(deps, entry, reason));
    round.countEntries(organizationId, meant.length);
    after = page.at(-1);
    if (after === undefined || page.length < pageEntries) return;
  }
}

/** The write fails for a run that has begun, whose entry is gone by then. */
async function cancel(deps: MatchDeps, entry: QueuedRun, reason: string): Promise<void> {
  const { organizationId, waiting } = entry;
  const change = { status: "cancelled", error: [reason], endedAt: isoTimestamp(deps.clock.now()) } as const;
  const outcome = await deps.runs.update(organizationId, waiting.runId, change);
  const isOver = outcome.kind === "not_found" || outcome.kind === "illegal_transition";
  if (isOver) await deps.matches.removeEntry(entry);
}
