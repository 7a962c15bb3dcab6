import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { Session } from "../session/session.ts";
import type { Machine, MachineSecret, MachineSettings } from "./machine.ts";

export type MachineChange = Partial<
  MachineSettings &
    MachineSecret &
    Pick<Machine, "outOfService" | "clearingSince" | "secretDigest" | "pendingSecretDigest">
>;

export interface MachineFilter extends CreatedRange {
  /** Case-insensitive substring of id, name or hostname. */
  readonly search?: string;
  readonly name?: string;
  readonly status?: MachineStatus;
}

export type CreateMachineOutcome =
  | { readonly kind: "created" }
  | { readonly kind: "fingerprint_taken"; readonly machineId: string };

export type UpdateMachineOutcome =
  | { readonly kind: "updated"; readonly machine: Machine }
  | { readonly kind: "not_found" }
  /** Reserved for another session, when `reservedSessionId` was to be set. */
  | { readonly kind: "reserved" }
  /** The session to reserve it for waits for a machine of other pools. */
  | { readonly kind: "session_elsewhere" }
  | { readonly kind: "session_changed" }
  /** When `clearingSince` was given: not being cleared, or not since that time, or it has a run. */
  | { readonly kind: "not_cleared"; readonly machine: Machine }
  /** Changed since it was read, when `revision` was given; or being cleared, when it was to be reserved. */
  | { readonly kind: "changed" };

export interface Reservation {
  readonly session: Session;
  readonly isNew: boolean;
}

export interface UpdateMachineOptions {
  readonly idempotency?: Idempotency;
  readonly revision?: number;
  /** Saves the read that an idempotency record would need. */
  readonly before?: Machine;
  /** Write only if the machine is being cleared since that time and no longer has a run. */
  readonly clearingSince?: string;
  /** Becomes active with the machine in the same write. Required to set `reservedSessionId` to an id. */
  readonly reservation?: Reservation;
}

export interface MachineStore extends EntityStore<Machine> {
  /** Returns the existing ones in order of id. */
  findMany(organizationId: OrganizationId, machineIds: readonly string[]): Promise<readonly Machine[]>;
  /** Reads the organization's number of calls under way, too: one batch read. */
  findWithCalls(
    organizationId: OrganizationId,
    machineId: string,
  ): Promise<{ readonly machine: Machine; readonly callsUnderWay: number } | undefined>;
  findByFingerprint(organizationId: OrganizationId, fingerprint: string): Promise<Machine | undefined>;
  create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome>;
  /** Sets `reservedSessionId` to an id only on a machine that is free or reserved for that id. */
  update(
    organizationId: OrganizationId,
    machineId: string,
    change: MachineChange,
    options?: UpdateMachineOptions,
  ): Promise<UpdateMachineOutcome>;
  /** The pending secret becomes the machine's own, if it has that digest. */
  proveSecret(organizationId: OrganizationId, machineId: string, digest: string): Promise<void>;
  /** The machine takes no run from then on, until it is cleared; the session that it is reserved for ends. */
  beginClearing(
    organizationId: OrganizationId,
    machineId: string,
    since: string,
  ): Promise<Machine | undefined>;
  /** Longest first, of all organizations. */
  listClearingDue(limit: number): Promise<readonly Machine[]>;
  /** Newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: MachineFilter, page: PageRequest): Promise<Page<Machine>>;
}
