import type { MachineStatus } from "../../../vocabulary/machines.ts";
import type { WaitingReason } from "../../../vocabulary/runs.ts";
import type { Machine } from "../../machine/machine.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Session } from "../../session/session.ts";
import type { Target } from "./target.ts";

export type ExecutionLimit = Extract<WaitingReason, "organization_limit" | "service_limit">;

export interface QueuePlace {
  readonly organizationId: OrganizationId;
  readonly target: Target;
  readonly isPriority: boolean;
  /** Milliseconds since the epoch; ties are ordered by id. */
  readonly queuedAtMs: number;
  readonly runId: string;
}

/** Each method's cost is independent of the number of machines and runs. */
export interface WaitingView {
  /** Makes one consistent read. Returns undefined for a deleted machine. */
  machine(organizationId: OrganizationId, machineId: string): Promise<Machine | undefined>;
  /** Makes one consistent read. */
  session(organizationId: OrganizationId, sessionId: string): Promise<Session | undefined>;
  /** Searches the newest members of the smallest of at least one pool: two batch reads and a query. */
  members(organizationId: OrganizationId, poolIds: readonly string[], readMax: number): Promise<SomeMachines>;
  /** Lists newest first, eventually consistent, in one index query and one batch read. */
  ofStatus(organizationId: OrganizationId, status: MachineStatus, max: number): Promise<SomeMachines>;
  /** Returns which limit of executions is reached, the organization's first, in one consistent read. */
  limitReached(organizationId: OrganizationId): Promise<ExecutionLimit | undefined>;
  /** Counts up to `max`, in one consistent query. */
  ahead(place: QueuePlace, max: number): Promise<number>;
}

export interface SomeMachines {
  readonly machines: readonly Machine[];
  readonly isCut: boolean;
}
