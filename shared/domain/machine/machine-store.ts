import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { Session } from "../session/session.ts";
import type { Machine, MachineSecret, MachineSettings } from "./machine.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
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
  /** That session changed since it was read. */
  | { readonly kind: "session_changed" }
  /** When `clearingSince` was given: not being cleared, or not since that time, or it has a run. */
  | { readonly kind: "not_cleared"; readonly machine: Machine }
  /** Changed since it was read, when `revision` was given; or being cleared, when it was to be reserved. */
  | { readonly kind: "changed" };

/** The session that a machine is reserved for. */
export interface Reservation {
  /** As read, or as newly created. */
  readonly session: Session;
  readonly isNew: boolean;
}

export interface UpdateMachineOptions {
  readonly idempotency?: Idempotency;
  /** Write only if the machine is still at this revision. */
  readonly revision?: number;
  /** The machine as just read, at `revision`: saves the read that an idempotency record would need. */
  readonly before?: Machine;
  /** Write only if the machine is being cleared since that time and no longer has a run. */
  readonly clearingSince?: string;
  /** Becomes active with the machine in the same write. Required to set `reservedSessionId` to an id. */
  readonly reservation?: Reservation;
}

export interface MachineStore extends EntityStore<Machine> {
  /** The existing ones, in order of id: one batch read per 100, none for no ids. */
  findMany(organizationId: OrganizationId, machineIds: readonly string[]): Promise<readonly Machine[]>;
  /** With the number of calls to desktops that the organization has under way: one batch read of two rows. */
  findWithCalls(
    organizationId: OrganizationId,
    machineId: string,
  ): Promise<{ readonly machine: Machine; readonly callsUnderWay: number } | undefined>;
  /** One consistent read of the fingerprint's row and one of the machine. */
  findByFingerprint(organizationId: OrganizationId, fingerprint: string): Promise<Machine | undefined>;
  /**
   * Writes machine, fingerprint, count and any idempotency record in one transaction.
   *
   * @throws {AlreadyOnRecord}
   */
  create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome>;
  /**
   * One conditional write; with an idempotency record or a reservation, one read and one transaction, which records the
   * machine as the result. Setting `reservedSessionId` to an id requires that the machine is free or reserved for that
   * id.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    machineId: string,
    change: MachineChange,
    options?: UpdateMachineOptions,
  ): Promise<UpdateMachineOutcome>;
  /** The pending secret becomes the machine's own, if it has that digest. One conditional write. */
  proveSecret(organizationId: OrganizationId, machineId: string, digest: string): Promise<void>;
  /**
   * The machine takes no run from then on and is due until it is cleared; the session that it is reserved for ends. One
   * read and one transaction.
   *
   * @returns the machine afterwards, undefined when there is none.
   */
  beginClearing(
    organizationId: OrganizationId,
    machineId: string,
    since: string,
  ): Promise<Machine | undefined>;
  /** Machines being cleared, of all organizations, longest first: for the sweeper. */
  listClearingDue(limit: number): Promise<readonly Machine[]>;
  /** Newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: MachineFilter, page: PageRequest): Promise<Page<Machine>>;
}
