import type { OrganizationId } from "../../access/organization-id.ts";
import type { Machine, MachineStatus } from "../../machine/machine.ts";
import type { Target } from "../../matching/target.ts";
import type { Session } from "../run.ts";

/** Where a run waits. */
export interface QueuePlace {
  readonly organizationId: OrganizationId;
  readonly target: Target;
  /** In ms since the epoch; equal moments go by id. */
  readonly queuedAtMs: number;
  readonly runId: string;
}

/** What tells why a run waits. Each method costs the same however many machines and runs there are. */
export interface WaitingView {
  /** One consistent read; none when it is deleted. */
  machine(organizationId: OrganizationId, machineId: string): Promise<Machine | undefined>;
  /** One consistent read. */
  session(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /**
   * Machines that are in all of these pools, found among the newest members of the smallest one: two batch reads and a
   * query.
   *
   * @param poolIds at least one.
   */
  members(organizationId: OrganizationId, poolIds: readonly string[], readMax: number): Promise<SomeMachines>;
  /** Machines of that status, the newest first, a moment late: one query of an index and one batch read. */
  ofStatus(organizationId: OrganizationId, status: MachineStatus, max: number): Promise<SomeMachines>;
  /** How many are before that one in its queue, counted no further than `max`: one consistent query. */
  ahead(place: QueuePlace, max: number): Promise<number>;
}

export interface SomeMachines {
  readonly machines: readonly Machine[];
  /** Whether there may be others that were not looked at. */
  readonly isCut: boolean;
}
