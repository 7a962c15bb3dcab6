import type { HealthScope } from "../../vocabulary/machines.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import type { Clock } from "../clock.ts";
import { type FindDesktopDeps, findDesktop } from "../computer/get-desktop.ts";
import type { Connection } from "../connection/connection.ts";
import type { ConnectionStore } from "../connection/connection-store.ts";
import { DomainError } from "../errors.ts";
import type { Machine } from "../machine/machine.ts";
import type { OrganizationId } from "../organization-id.ts";
import { type CallDriverDeps, callDriver } from "../tunnel/call-driver.ts";

/** The maximum of concurrent probes, one invocation's share of the gateway's posts. */
const probesAtOnce = 50;
const probeTimeoutMs = 8_000;
/** The time for all probes together, within API Gateway's 30 s. */
const probesTotalMs = 25_000;

export interface ProbeMachinesDeps extends CallDriverDeps, FindDesktopDeps {
  readonly connections: ConnectionStore;
  readonly clock: Clock;
  readonly statusOf: (error: DomainError) => number;
}

interface MachineFault {
  readonly machineId: string;
  readonly organizationId: OrganizationId;
  readonly machineName: string;
  readonly error: string;
  readonly statusCode: number;
}

export interface MachineHealthReport {
  readonly scope: HealthScope;
  readonly checkedMachines: number;
  readonly faults: readonly MachineFault[];
}

/** A key with the scope `operator` probes all organizations, in turns. Machines not reached in time are faults. */
export async function probeMachines(deps: ProbeMachinesDeps, caller: Caller): Promise<MachineHealthReport> {
  requireScope(caller, "read", "operator");
  const all = caller.scopes.includes("operator");
  const connections = await deps.connections.listConnected(all ? undefined : caller.organizationId);
  const deadlineMs = deps.clock.now() + probesTotalMs;
  const results: ("healthy" | "gone" | MachineFault)[] = [];
  const waiting = new FairQueue(connections);
  const work = async () => {
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      results.push(await probe(deps, next, deadlineMs));
      waiting.settle(next);
    }
  };
  await Promise.all(Array.from({ length: Math.min(probesAtOnce, connections.length) }, work));
  const checked = results.filter((result) => result !== "gone");
  return {
    scope: all ? "all_organizations" : "organization",
    checkedMachines: checked.length,
    faults: checked.filter((result) => result !== "healthy"),
  };
}

/** The next connection is of the organization with the fewest under way: none waits for all of another's. */
class FairQueue {
  readonly #waiting: Map<OrganizationId, Connection[]>;
  readonly #underWay = new Map<OrganizationId, number>();

  constructor(connections: readonly Connection[]) {
    this.#waiting = Map.groupBy(connections, ({ organizationId }) => organizationId);
  }

  take(): Connection | undefined {
    let fewest: OrganizationId | undefined;
    for (const id of this.#waiting.keys()) {
      if (fewest === undefined || this.#count(id) < this.#count(fewest)) fewest = id;
    }
    if (fewest === undefined) return undefined;
    const waiting = this.#waiting.get(fewest) ?? [];
    const next = waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(fewest);
    this.#underWay.set(fewest, this.#count(fewest) + 1);
    return next;
  }

  settle({ organizationId }: Connection): void {
    this.#underWay.set(organizationId, this.#count(organizationId) - 1);
  }

  #count(id: OrganizationId): number {
    return this.#underWay.get(id) ?? 0;
  }
}

async function probe(
  deps: ProbeMachinesDeps,
  connection: Connection,
  deadlineMs: number,
): Promise<"healthy" | "gone" | MachineFault> {
  const desktop = await findDesktop(deps, connection.organizationId, connection.machineId);
  // The machine was disconnected or deleted since the list was read.
  if (!desktop?.machine.connection) return "gone";
  const { machine } = desktop;
  const timeoutMs = Math.min(probeTimeoutMs, deadlineMs - deps.clock.now());
  if (timeoutMs <= 0) return fault(machine, "not probed: the 25 s for all machines were over", 504);
  try {
    await callDriver(deps, { ...desktop, method: "GET", path: "/computer/display/dimensions", timeoutMs });
    return "healthy";
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return fault(machine, error.message, deps.statusOf(error));
  }
}

function fault(machine: Machine, error: string, statusCode: number): MachineFault {
  return {
    machineId: machine.id,
    organizationId: machine.organizationId,
    machineName: machine.name,
    error,
    statusCode,
  };
}
