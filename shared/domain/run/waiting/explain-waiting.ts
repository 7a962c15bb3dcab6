import type { WaitingReason } from "../../../vocabulary/runs.ts";
import { queuePositionMax } from "../../../vocabulary/runs.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Run } from "../run.ts";
import { placementOf, type Target, targetOfRun } from "./target.ts";
import { reasonAmong } from "./waiting-reason.ts";
import type { WaitingView } from "./waiting-view.ts";

export interface Waiting {
  /** Null means that a machine is free and the assignment is under way. */
  readonly reason: WaitingReason | null;
  /** The number of entries ahead, or `more` beyond `queuePositionMax`. */
  readonly position: number | "more";
}

const readMax = 100;

/** Returns undefined if the run does not wait. Makes three to six calls, whatever the target. */
export async function explainWaiting(view: WaitingView, run: Run): Promise<Waiting | undefined> {
  if (run.status !== "scheduling") return undefined;
  const target = targetOfRun(run);
  const { organizationId, id: runId, isPriority } = run;
  const place = { organizationId, target, isPriority, queuedAtMs: Date.parse(run.queuedAt), runId };
  const [reason, ahead] = await Promise.all([
    reasonOf(view, run, target),
    view.ahead(place, queuePositionMax + 1),
  ]);
  return { reason: reason ?? null, position: ahead > queuePositionMax ? "more" : ahead };
}

/** The limits of executions matter only if a machine is free. */
async function reasonOf(view: WaitingView, run: Run, target: Target): Promise<WaitingReason | undefined> {
  const { organizationId, executor } = run;
  const reason = await reasonFor(view, organizationId, target, null, run.triedMachineId);
  if (reason !== undefined || executor !== "service") return reason;
  return await view.limitReached(organizationId);
}

async function reasonFor(
  view: WaitingView,
  organizationId: OrganizationId,
  target: Target,
  sessionId: string | null,
  triedMachineId: string | null = null,
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
      // A member that was not read may be in all of the pools.
      const others = machines.filter(({ id }) => id !== triedMachineId);
      return others.length === 0 && isCut ? undefined : reasonAmong(others, sessionId);
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

/** Only connected machines can take the run soon; of the others it matters only whether any exist. */
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
