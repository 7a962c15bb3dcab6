import type { ConnectionStatus } from "../../vocabulary/machines.ts";
import type { OrganizationId } from "../organization-id.ts";

/** An absent fact is unchanged. */
export interface DriverFacts {
  readonly name?: string;
  readonly hostname?: string;
  readonly osInfo?: string;
  readonly version?: string;
  readonly capabilities?: readonly string[];
  readonly programs?: readonly string[];
}

export interface HandshakeNotes {
  readonly facts: DriverFacts;
  /** This becomes the machine's `linkedKeepaliveMachineId`. */
  readonly keepaliveForMachineId: string | null;
}

export interface Connection extends HandshakeNotes {
  /** A UUID of version 7: of two connections of one machine the newer has the greater id. */
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly machineId: string;
  readonly websocketId: string;
  /** Revoking this key closes the connection. */
  readonly keyId: string;
  readonly host: string;
  readonly status: ConnectionStatus;
  readonly connectedAt: string;
  readonly disconnectedAt: string | null;
  readonly lastPing: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly remotePeerId: string;
  readonly shownSecretDigest: string | null;
  /** The address of a connection that this one replaced without the machine's own secret, or null. */
  readonly supersededAddress: string | null;
}
