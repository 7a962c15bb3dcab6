import type { OrganizationId } from "../../access/organization-id.ts";
import { placementOf, type Target, targetOfRun } from "../../matching/target.ts";
import type { Run } from "../run.ts";
import { reasonAmong, type WaitingReason } from "./waiting-reason.ts";
import type { WaitingView } from "./waiting-view.ts";

export interface Waiting {
  /** Null when a machine is free and the two are being brought together. */
  readonly reason: WaitingReason | null;
  /** How many are before it in its queue; `more` beyond `positionMax`. */
  readonly position: number | "more";
}

/** How far the runs ahead are counted. */
export const positionMax = 1_000;

/** Most machines looked at for one answer. */
export const readMax = 100;

/** Why a run waits and behind how many; undefined for one that does not. Three to five calls, whatever its target. */
export async function explainWaiting(view: WaitingView, run: Run): Promise<Waiting | undefined> {
  if (run.status !== "scheduling") return undefined;
  const target = targetOfRun(run);
  const { organizationId, id: runId } = run;
  const place = { organizationId, target, queuedAtMs: Date.parse(run.queuedAt), runId };
  const [reason, ahead] = await Promise.all([
    reasonFor(view, organizationId, target, null),
    view.ahead(place, positionMax + 1),
  ]);
  return { reason: reason ?? null, position: ahead > positionMax ? "more" : ahead };
}

async function reasonFor(
  view: WaitingView,
  organizationId: OrganizationId,
  target: Target,
  sessionId: string | null,
): Promise<WaitingReason | undefined> {
  switch (target.kind) {
    case "session":
      return await reasonInSession(view, organizationId, target.sessionId);
    case "machine": {
      const machine = await view.machine(organizationId, target.machineId);
      return reasonAmong(machine === undefined ? [] : [machine], sessionId);
    }
    case "pools": {
      const { machines, isCut } = await view.members(organizationId, target.poolIds, readMax);
      // Of members that were not looked at, one may be in all of the pools.
      return machines.length === 0 && isCut ? undefined : reasonAmong(machines, sessionId);
    }
    case "any":
      return await reasonAnywhere(view, organizationId);
  }
}

async function reasonInSession(
  view: WaitingView,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<WaitingReason | undefined> {
  const session = await view.session(organizationId, sessionId);
  if (session === undefined || session.status === "ended") return undefined;
  if (session.status === "pending") {
    return await reasonFor(view, organizationId, placementOf(session), sessionId);
  }
  const machine =
    session.machineId === null ? undefined : await view.machine(organizationId, session.machineId);
  const reason = reasonAmong(machine === undefined ? [] : [machine], sessionId);
  return reason === "all_busy" ? "session_busy" : reason;
}

/** The connected ones alone can be near; of the others it is enough that there are any. */
async function reasonAnywhere(
  view: WaitingView,
  organizationId: OrganizationId,
): Promise<WaitingReason | undefined> {
  const connected = await view.ofStatus(organizationId, "connected", readMax);
  if (connected.machines.length > 0) return reasonAmong(connected.machines, null);
  const [outOfService, disconnected] = await Promise.all([
    view.ofStatus(organizationId, "error", 1),
    view.ofStatus(organizationId, "disconnected", 1),
  ]);
  return reasonAmong([...outOfService.machines, ...disconnected.machines], null);
}
