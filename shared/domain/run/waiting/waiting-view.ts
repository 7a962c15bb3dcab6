import type { MachineStatus } from "../../../vocabulary/machines.ts";
import type { Machine } from "../../machine/machine.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Session } from "../../session/session.ts";
import type { Target } from "./target.ts";

/** Where a run waits. */
export interface QueuePlace {
  readonly organizationId: OrganizationId;
  readonly target: Target;
  readonly isPriority: boolean;
  /** In ms since the epoch; ties are ordered by id. */
  readonly queuedAtMs: number;
  readonly runId: string;
}

/** Reads that explain why a run waits. Each method's cost is independent of the number of machines and runs. */
export interface WaitingView {
  /** One consistent read; undefined when deleted. */
  machine(organizationId: OrganizationId, machineId: string): Promise<Machine | undefined>;
  /** One consistent read. */
  session(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /**
   * Machines in all of these pools, found among the newest members of the smallest one: two batch reads and a query.
   *
   * @param poolIds at least one.
   */
  members(organizationId: OrganizationId, poolIds: readonly string[], readMax: number): Promise<SomeMachines>;
  /** Machines of that status, newest first, eventually consistent: one index query and one batch read. */
  ofStatus(organizationId: OrganizationId, status: MachineStatus, max: number): Promise<SomeMachines>;
  /** Whether the service carries out as many of the organization's runs as it may: one consistent read. */
  isFull(organizationId: OrganizationId): Promise<boolean>;
  /** How many entries are ahead of that one in its queue, counted up to `max`: one consistent query. */
  ahead(place: QueuePlace, max: number): Promise<number>;
}

export interface SomeMachines {
  readonly machines: readonly Machine[];
  /** Whether there may be others that were not read. */
  readonly isCut: boolean;
}
