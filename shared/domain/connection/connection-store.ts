import type { ConnectionStatus } from "../../vocabulary/machines.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Connection, DriverFacts } from "./connection.ts";
import type { SecretDigests } from "./machine-secret.ts";

export type { DriverFacts } from "./connection.ts";

export type ActivateOutcome =
  /** `superseded` is the machine's connection until now, to be closed. */
  | {
      readonly kind: "active";
      readonly superseded: { readonly id: string; readonly websocketId: string } | null;
    }
  /** The machine already has a newer connection: this one is to be closed. */
  | { readonly kind: "older" }
  /** The machine is bound to a different key, and `bindKey` was not given. */
  | { readonly kind: "bound_to_another" }
  /** The machine's own secret is another than `secret` says it was. */
  | { readonly kind: "secret_changed" }
  /** The connection is unknown or closed, or its machine deleted. */
  | { readonly kind: "gone" };

export interface ActivateOptions {
  /** Binds the machine to the connection's key, whatever it was bound to. */
  readonly bindKey?: boolean;
  /** The machine's own secret as read, whether the connection has shown it, and a new one to be pending. */
  readonly secret?: SecretDigests & { readonly isShown: boolean; readonly nextDigest: string | null };
}

export interface ConnectionFilter {
  readonly machineId?: string;
  readonly status?: ConnectionStatus;
}

export type ConnectionName = Pick<Connection, "organizationId" | "machineId" | "id">;

/** A live connection as the sweeper's index has it: eventually consistent, and read without its row. */
export interface LivePlace extends Pick<Connection, "organizationId" | "id"> {
  readonly websocketId: string;
  readonly openedAtMs: number;
}

/** A ping over a machine's current connection. */
export interface Ping {
  readonly connection: ConnectionName;
  /** Counted in this window of 60 s. */
  readonly frames: number;
  readonly pendingSecretDigest: string | null;
}

/** Everything that a connection changes on its machine is conditional on being the machine's current connection. */
export interface ConnectionStore {
  /** Writes the row by websocket id, then the connection. Idempotent. */
  open(connection: Connection): Promise<void>;
  /**
   * By API Gateway's connection id, with the notes of its handshake. Two consistent reads, one when this instance has cached
   * the immutable row, which has them.
   */
  findByWebsocketId(websocketId: string): Promise<Connection | undefined>;
  /** Without the notes of its handshake. */
  find(organizationId: OrganizationId, connectionId: string): Promise<Connection | undefined>;
  /**
   * The hello: makes it the machine's current connection, unless a newer one is. One transaction writes the machine
   * (connection, facts, last_seen, linked_keepalive_machine_id, pending secret, key when unbound or `bindKey`) and the
   * connection as `connected`, and closes the one that it replaces. A repeated hello on the current connection changes
   * facts and pending secret only.
   */
  activate(
    connection: Connection,
    facts: DriverFacts,
    nowMs: number,
    options?: ActivateOptions,
  ): Promise<ActivateOutcome>;
  /** Remembers, in this instance alone, that a ping came. @returns when the one before did; undefined: none is known. */
  hear(websocketId: string, nowMs: number): number | undefined;
  /**
   * Whether it is the current connection of a machine that lives. This instance knows it for half an hour from a hello, a
   * noted ping or an earlier question, and else reads it: the machine, and the socket's row unless it is cached, both
   * eventually consistently, so that a false is to be checked.
   */
  isCurrent(websocketId: string, nowMs: number): Promise<boolean>;
  /**
   * Notes the ping on the machine whose current connection it is, and counts the frame: one write, and one read on an
   * instance that has not cached the socket's row. Not the machine's revision. Undefined when it is not the current
   * connection of a machine that lives: unknown, closed, superseded, or without a hello.
   */
  ping(websocketId: string, nowMs: number): Promise<Ping | undefined>;
  /** With the last pings of those that are live. One batch of their machines. */
  withLastPings(connections: readonly Connection[]): Promise<readonly Connection[]>;
  /**
   * Counts a call to the machine that timed out, in `CurrentConnection.unanswered`, and when. Like the next one it changes
   * nothing when the connection is no longer current, and not the machine's revision.
   */
  noteUnanswered(connection: ConnectionName, nowMs: number): Promise<void>;
  /** The driver has answered: no call counts as unanswered. */
  noteAnswered(connection: ConnectionName): Promise<void>;
  /**
   * Counts a frame that answers no request, with the pings of the machine's current connection. The frames in this
   * window of 60 s; undefined when unknown.
   */
  countFrame(websocketId: string, nowMs: number): Promise<number | undefined>;
  /**
   * Marks it disconnected; if it is current, also clears the machine's connection, `physical_server_id` and
   * linked_keepalive_machine_id in the same transaction, and keeps its last ping. Idempotent.
   *
   * @param isHeard the machine was heard of with it: becomes its `last_seen`. @default false
   */
  close(connection: Connection, nowMs: number, isHeard?: boolean): Promise<void>;
  /**
   * A page of a shard's live connections that were opened before that time, longest open first, and where to continue;
   * null: from the front, and at the end. The sharded sparse index alone.
   */
  listLive(
    shard: number,
    openedBeforeMs: number,
    position: string | null,
  ): Promise<{ readonly places: readonly LivePlace[]; readonly position: string | null }>;
  /** Those of them that are not closed. @param isConsistent false for half the units, where it is checked again. */
  findLive(places: readonly LivePlace[], isConsistent: boolean): Promise<readonly Connection[]>;
  /** Live connections opened with that key. */
  listByKey(keyId: string): Promise<readonly Connection[]>;
  /**
   * Their number, at most `max`. Not exact: eventually consistent, and below three quarters of `max` what this instance has
   * read within a minute, with its own opens since.
   */
  countByKey(keyId: string, max: number, nowMs: number): Promise<number>;
  /**
   * Newest first, with the exact total; closed ones are kept for 30 days.
   *
   * @throws {DomainError} `search_too_broad` when both filters are given and more than 10,000 rows would be read.
   */
  list(
    organizationId: OrganizationId,
    filter: ConnectionFilter,
    page: PageRequest,
  ): Promise<Page<Connection>>;
  /**
   * Removes a closed connection and decrements the count, with any idempotency record, in one transaction. False when
   * there is none, or it is not closed.
   *
   * @throws {AlreadyOnRecord}
   */
  remove(
    organizationId: OrganizationId,
    connectionId: string,
    nowMs: number,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** Live, current connections: of one organization, or of all (an operator's health check). */
  listConnected(organizationId: OrganizationId | undefined): Promise<readonly Connection[]>;
}
