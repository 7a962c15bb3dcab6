import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { Edit } from "../entity/edition.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Metadata, MetadataChange } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, CreatedRange, Page, PageRequest } from "../page.ts";
import type { Session } from "../session/session.ts";
import type { Machine, MachineSecret, MachineSettings } from "./machine.ts";

export type ChangedFields = Partial<
  Omit<MachineSettings, "metadata"> &
    MachineSecret &
    Pick<Machine, "outOfService" | "clearingSince" | "secretDigest" | "pendingSecretDigest">
>;

/** Metadata is merged with the pairs that the machine has, which takes a read. */
export interface MachineChange extends ChangedFields {
  readonly metadata?: MetadataChange;
}

export interface MachineFilter extends CreatedRange {
  /** A case-insensitive substring of id, name or hostname. */
  readonly search?: string;
  readonly name?: string;
  readonly status?: AnyOf<MachineStatus>;
  readonly metadata?: Metadata;
}

export type CreateMachineOutcome =
  | { readonly kind: "created" }
  | { readonly kind: "fingerprint_taken"; readonly machineId: string };

export type UpdateMachineOutcome =
  | { readonly kind: "updated"; readonly machine: Machine }
  | { readonly kind: "not_found" }
  /** The machine is reserved for another session than the given `reservedSessionId`. */
  | { readonly kind: "reserved" }
  /** The session for the reservation waits for a machine of other pools. */
  | { readonly kind: "session_elsewhere" }
  | { readonly kind: "session_changed" }
  /** A `clearingSince` was given, but the machine is not being cleared since that time, or has a run. */
  | { readonly kind: "not_cleared"; readonly machine: Machine }
  /** The machine changed since the given `revision`, or is being cleared and cannot be reserved. */
  | { readonly kind: "changed" };

export interface Reservation {
  readonly session: Session;
  readonly isNew: boolean;
}

export interface UpdateMachineOptions {
  readonly idempotency?: Idempotency;
  readonly revision?: number;
  /** A row that the caller has already read saves the read that an idempotency record would need. */
  readonly before?: Machine;
  /** The write requires that the machine is being cleared since that time and no longer has a run. */
  readonly clearingSince?: string;
  /** The reservation becomes active in the same write. It is required to set `reservedSessionId` to an id. */
  readonly reservation?: Reservation;
  readonly edit?: Edit | undefined;
}

export interface MachineStore extends EntityStore<Machine> {
  /** Returns the existing ones in order of id. */
  findMany(organizationId: OrganizationId, machineIds: readonly string[]): Promise<readonly Machine[]>;
  /** Reads the organization's number of calls under way in the same batch read. */
  findWithCalls(
    organizationId: OrganizationId,
    machineId: string,
  ): Promise<{ readonly machine: Machine; readonly callsUnderWay: number } | undefined>;
  findByFingerprint(organizationId: OrganizationId, fingerprint: string): Promise<Machine | undefined>;
  create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome>;
  /**
   * Sets `reservedSessionId` to an id only on a machine that is free or reserved for that id.
   * @throws {InvalidInput} for too many pairs of metadata.
   * @throws {ChangedMeanwhile}
   */
  update(
    organizationId: OrganizationId,
    machineId: string,
    change: MachineChange,
    options?: UpdateMachineOptions,
  ): Promise<UpdateMachineOutcome>;
  /** The pending secret becomes the machine's own, if it has that digest. */
  proveSecret(organizationId: OrganizationId, machineId: string, digest: string): Promise<void>;
  /**
   * From then on the machine takes no run until it is cleared, and the session that it is reserved for ends. The edition
   * is raised by the write that ends the clearing. @throws {ChangedMeanwhile}
   */
  beginClearing(
    organizationId: OrganizationId,
    machineId: string,
    since: string,
    edit?: Edit,
  ): Promise<Machine | undefined>;
  /** Lists those of all organizations, the longest due first. */
  listClearingDue(limit: number): Promise<readonly Machine[]>;
  /** Lists newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read. */
  list(organizationId: OrganizationId, filter: MachineFilter, page: PageRequest): Promise<Page<Machine>>;
}
