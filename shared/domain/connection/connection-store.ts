import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Connection, ConnectionStatus, DriverFacts } from "./connection.ts";

export type { DriverFacts } from "./connection.ts";

export type ActivateOutcome =
  /** `superseded` is the machine's connection until now, to be closed. */
  | {
      readonly kind: "active";
      readonly superseded: { readonly id: string; readonly websocketId: string } | null;
    }
  /** A newer connection of the machine is there already: this one is to be closed. */
  | { readonly kind: "older" }
  /** The machine is bound to another key than the connection's, and `bindKey` was not given. */
  | { readonly kind: "bound_to_another" }
  /** The connection is unknown or closed, or its machine deleted. */
  | { readonly kind: "gone" };

export interface ConnectionFilter {
  readonly machineId?: string;
  readonly status?: ConnectionStatus;
}

/** Everything that a connection changes on its machine is conditional on its being the machine's current one. */
export interface ConnectionStore {
  /** The entity and the row that finds it by websocket id, in one transaction. Running it again changes nothing. */
  open(connection: Connection): Promise<void>;
  /** By API Gateway's connection id. Two consistent reads, one when the immutable row is known to this instance. */
  findByWebsocketId(websocketId: string): Promise<Connection | undefined>;
  find(organizationId: OrganizationId, connectionId: string): Promise<Connection | undefined>;
  /**
   * The hello: makes it the machine's current connection, unless a newer one is, in one transaction: machine
   * (connection, facts, last_seen, linked_keepalive_machine_id, key when it is not bound yet or `bindKey`),
   * connection `connected`. Saying hello again on the current connection changes facts only.
   */
  activate(
    connection: Connection,
    facts: DriverFacts,
    nowMs: number,
    options?: { readonly bindKey?: boolean },
  ): Promise<ActivateOutcome>;
  /** `last_ping` of the connection, and the machine's `last_seen` if current. False when closed or unknown. */
  ping(connection: Connection, nowMs: number): Promise<boolean>;
  /**
   * Marks it disconnected; if it is the machine's current one, the machine's connection, `physical_server_id` and
   * linked_keepalive_machine_id are cleared in the same transaction. Running it again changes nothing.
   */
  close(connection: Connection, nowMs: number): Promise<void>;
  /** Live connections whose last ping is before that moment, from the sharded sparse index; never a scan. */
  listSilent(lastPingBeforeMs: number, limit: number): Promise<readonly Connection[]>;
  /** Live connections that a key has opened. */
  listByKey(keyId: string): Promise<readonly Connection[]>;
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
   * Forgets a closed connection and takes it off the count, in one transaction, with the idempotency record when one is given.
   * False when there is none, or it is not closed.
   *
   * @throws {AlreadyOnRecord}
   */
  remove(
    organizationId: OrganizationId,
    connectionId: string,
    nowMs: number,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /** Live, current connections: of one organization, or of all (health of an operator). */
  listConnected(organizationId: OrganizationId | undefined): Promise<readonly Connection[]>;
}
