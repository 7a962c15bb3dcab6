import type { MachineStatus } from "../../vocabulary/machines.ts";
import { createdAtOfId } from "../derive-id.ts";
import type { Edited } from "../entity/edition.ts";
import type { MachineHold } from "../hold/hold.ts";
import type { JsonObject } from "../json.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface CurrentConnection {
  /** A newer connection has a greater id. */
  readonly id: string;
  readonly websocketId: string;
  /** The `physical_server_id`: the WebSocket API's id, stage and Region. */
  readonly host: string;
  /** The time of the hello, or of the latest recorded ping. Lists omit it. */
  readonly lastPing?: string;
  /** Calls in a row that timed out, until the driver's next hello, response or recorded ping. Absent means none. */
  readonly unanswered?: number;
  readonly unansweredAt?: string;
}

export interface Machine extends Edited {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  /** The UUID of the driver's installation, unique in the organization. */
  readonly fingerprint: string;
  /** The key that the machine is bound to, or "" until a driver has connected. */
  readonly keyServiceKeyId: string;
  readonly name: string;
  readonly version: string;
  readonly hostname: string;
  readonly osInfo: string;
  /** The `driverCapabilities` that the driver of its latest connection named. */
  readonly capabilities: readonly string[];
  readonly programs: readonly string[];
  /** The user's switch; `currentRunId` shows whether the machine is busy. */
  readonly isAvailable: boolean;
  readonly alertsEnabled: boolean;
  /** PATCH status `error` sets this: the machine gets no runs, and remote input still works. */
  readonly outOfService: boolean;
  readonly createdAt: string;
  readonly lastSeen: string;
  readonly parameters: JsonObject;
  readonly metadata: Metadata;
  readonly sensitiveAliases: readonly string[];
  readonly secretName: string | null;
  /** The digest of the machine's own secret, which its driver has proved to have. */
  readonly secretDigest: string | null;
  /** The digest of a secret that a welcome has given and the driver has not proved. */
  readonly pendingSecretDigest: string | null;
  readonly reservedSessionId: string | null;
  /** The time since which the reservation is being cleared; the machine takes no run meanwhile. */
  readonly clearingSince: string | null;
  readonly linkedKeepaliveMachineId: string | null;
  readonly currentRunId: string | null;
  /** A run's hold goes with the run's end. */
  readonly held: MachineHold | null;
  readonly poolIds: readonly string[];
  readonly connection: CurrentConnection | null;
  /** The time of the last disconnect; null while connected, and before the first connection. */
  readonly disconnectedAt: string | null;
  readonly deletedAt: string | null;
  readonly revision: number;
}

export function machineStatus(machine: Pick<Machine, "outOfService" | "connection">): MachineStatus {
  if (machine.outOfService) return "error";
  return machine.connection ? "connected" : "disconnected";
}

export type MachineSettings = Pick<
  Machine,
  | "name"
  | "version"
  | "hostname"
  | "osInfo"
  | "isAvailable"
  | "alertsEnabled"
  | "lastSeen"
  | "parameters"
  | "metadata"
  | "reservedSessionId"
>;

export type MachineSecret = Pick<Machine, "sensitiveAliases" | "secretName">;

export interface NewMachine
  extends Pick<Machine, "id" | "organizationId" | "userId" | "fingerprint">,
    Partial<Omit<MachineSettings, "reservedSessionId"> & MachineSecret> {}

/** Unknown plain strings are "", never null. */
export function newMachine(known: NewMachine): Machine {
  const createdAt = createdAtOfId(known.id);
  return {
    name: "",
    version: "",
    hostname: "",
    osInfo: "",
    parameters: {},
    metadata: {},
    sensitiveAliases: [],
    secretName: null,
    isAvailable: true,
    alertsEnabled: false,
    lastSeen: createdAt,
    ...known,
    capabilities: [],
    programs: [],
    secretDigest: null,
    pendingSecretDigest: null,
    keyServiceKeyId: "",
    outOfService: false,
    createdAt,
    reservedSessionId: null,
    clearingSince: null,
    linkedKeepaliveMachineId: null,
    currentRunId: null,
    held: null,
    poolIds: [],
    connection: null,
    disconnectedAt: null,
    deletedAt: null,
    revision: 1,
    edition: 0,
  };
}
