import type { ConnectionStatus } from "../../vocabulary/machines.ts";
import type { OrganizationId } from "../organization-id.ts";

/** Facts that a driver reports about its machine when it connects or says hello; absent means unchanged. */
export interface DriverFacts {
  readonly name?: string;
  readonly hostname?: string;
  readonly osInfo?: string;
  readonly version?: string;
  readonly capabilities?: readonly string[];
  readonly programs?: readonly string[];
}

/** The handshake's data that only the hello needs. */
export interface HandshakeNotes {
  /** Facts from the handshake's headers; the hello may report more. */
  readonly facts: DriverFacts;
  /** The machine that this one keeps alive; becomes `linkedKeepaliveMachineId`. */
  readonly keepaliveForMachineId: string | null;
}

/** A WebSocket between a driver and the service. Timestamps are ISO 8601. */
export interface Connection extends HandshakeNotes {
  /** UUID version 7: of two connections of one machine the newer has the greater id. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  /** API Gateway's connection id. */
  readonly websocketId: string;
  /** The key that opened it, so that revoking the key closes it. */
  readonly keyId: string;
  /** `physical_server_id` of the machine while this is its connection. */
  readonly host: string;
  readonly status: ConnectionStatus;
  readonly connectedAt: string;
  readonly disconnectedAt: string | null;
  readonly lastPing: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly remotePeerId: string;
  /** Digest of the machine's own secret that the handshake showed; null: none. */
  readonly shownSecretDigest: string | null;
  /** Whence the connection came whose place this one took without the machine's own secret; null: none. */
  readonly supersededAddress: string | null;
}
