import type { ConnectionStatus } from "../../vocabulary/machines.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, Page, PageRequest } from "../page.ts";
import type { Connection, DriverFacts } from "./connection.ts";
import type { SecretDigests } from "./machine-secret.ts";

export type { DriverFacts } from "./connection.ts";

export type ActivateOutcome =
  /** The caller closes `superseded`, the machine's connection until now. */
  | {
      readonly kind: "active";
      readonly superseded: { readonly id: string; readonly websocketId: string } | null;
    }
  | { readonly kind: "older" }
  | { readonly kind: "bound_to_another" }
  | { readonly kind: "secret_changed" }
  | { readonly kind: "gone" };

export interface ActivateOptions {
  readonly bindKey?: boolean;
  /** The machine's own secret as read, whether the connection has shown it, and a new pending one. */
  readonly secret?: SecretDigests & { readonly isShown: boolean; readonly nextDigest: string | null };
}

export interface ConnectionFilter {
  readonly machineId?: AnyOf<string>;
  readonly status?: AnyOf<ConnectionStatus>;
}

export type ConnectionName = Pick<Connection, "organizationId" | "machineId" | "id">;

/** A live connection in the sweeper's index, which is eventually consistent and read without the row. */
export interface LivePlace extends Pick<Connection, "organizationId" | "id"> {
  readonly websocketId: string;
  readonly openedAtMs: number;
}

export interface Ping {
  readonly connection: ConnectionName;
  readonly frames: number;
  readonly pendingSecretDigest: string | null;
}

/** Everything that a connection changes on its machine is conditional on being the machine's current connection. */
export interface ConnectionStore {
  /** Writes the row by websocket id, then the connection. Idempotent. */
  open(connection: Connection): Promise<void>;
  /** Returns it with its handshake's notes in two consistent reads, or one when this instance has cached the row. */
  findByWebsocketId(websocketId: string): Promise<Connection | undefined>;
  /** Leaves out the notes of the connection's handshake. */
  find(organizationId: OrganizationId, connectionId: string): Promise<Connection | undefined>;
  /**
   * One transaction makes it the machine's current connection, unless a newer one is, and closes the one that it
   * replaces. A repeated hello on the current connection changes facts and pending secret only.
   */
  activate(
    connection: Connection,
    facts: DriverFacts,
    nowMs: number,
    options?: ActivateOptions,
  ): Promise<ActivateOutcome>;
  /** Remembers a ping in this instance alone. Returns the time of the previous one. */
  hear(websocketId: string, nowMs: number): number | undefined;
  /**
   * The result is cached for half an hour, and otherwise eventually consistent, so the caller checks a false. Where the
   * row that is read has a count of unanswered calls, or its last ping is stale, the ping is recorded.
   */
  isCurrent(websocketId: string, nowMs: number): Promise<boolean>;
  /** Records the ping and counts the frame in one write. Undefined unless it is a living machine's connection. */
  ping(websocketId: string, nowMs: number): Promise<Ping | undefined>;
  withLastPings(connections: readonly Connection[]): Promise<readonly Connection[]>;
  /** Counts a call that timed out. Changes nothing unless the connection is current. */
  noteUnanswered(connection: ConnectionName, nowMs: number): Promise<void>;
  noteAnswered(connection: ConnectionName): Promise<void>;
  /** Counts a frame in this instance alone. Returns the number in this window of 60 s that it knows of. */
  countFrameHere(websocketId: string, nowMs: number): number;
  /** Counts a frame that answers no request. Returns the number in this window of 60 s, undefined when unknown. */
  countFrame(websocketId: string, nowMs: number): Promise<number | undefined>;
  /**
   * Clears the machine's connection in the same transaction, if it is the current one. Idempotent.
   *
   * @param isHeard says that the machine sent something over it, which becomes its `last_seen`.
   */
  close(connection: Connection, nowMs: number, isHeard?: boolean): Promise<void>;
  /** Lists a page of a shard, longest open first. A null position is the front, and the end. */
  listLive(
    shard: number,
    openedBeforeMs: number,
    position: string | null,
  ): Promise<{ readonly places: readonly LivePlace[]; readonly position: string | null }>;
  /** Returns those that are not closed. @param isConsistent is false for half the cost, where it is checked again. */
  findLive(places: readonly LivePlace[], isConsistent: boolean): Promise<readonly Connection[]>;
  listByKey(keyId: string): Promise<readonly Connection[]>;
  /** Counts at most `max`. Below three quarters of it, a count that this instance has read within a minute is used. */
  countByKey(keyId: string, max: number, nowMs: number): Promise<number>;
  /** Lists newest first, with the exact total. @throws {DomainError} `search_too_broad` beyond 10,000 rows read */
  list(
    organizationId: OrganizationId,
    filter: ConnectionFilter,
    page: PageRequest,
  ): Promise<Page<Connection>>;
  /** Decrements the count in the same transaction. Returns false when the connection is missing or not closed. */
  remove(
    organizationId: OrganizationId,
    connectionId: string,
    nowMs: number,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** Lists live, current connections, of all organizations if none is given. */
  listConnected(organizationId: OrganizationId | undefined): Promise<readonly Connection[]>;
}
