import type { MachineStatus } from "../../vocabulary/machines.ts";
import { isoTimestamp } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import type { OrganizationId } from "../organization-id.ts";

export interface CurrentConnection {
  /** A newer connection has a greater id. */
  readonly id: string;
  readonly websocketId: string;
  /** `physical_server_id`: the WebSocket API's id, stage and Region. */
  readonly host: string;
  /** Its hello, or its latest ping that was noted. Absent in lists. */
  readonly lastPing?: string;
  /** Calls in a row that timed out, until the driver's next hello, response or noted ping. Absent: none. */
  readonly unanswered?: number;
  readonly unansweredAt?: string;
}

export interface Machine {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly userId: string;
  /** UUID of the driver's installation; unique in the organization. */
  readonly fingerprint: string;
  /** The key that the machine is bound to; "" until a driver has connected. */
  readonly keyServiceKeyId: string;
  readonly name: string;
  readonly version: string;
  readonly hostname: string;
  readonly osInfo: string;
  /** The `driverCapabilities` that the driver of its latest connection named. */
  readonly capabilities: readonly string[];
  readonly programs: readonly string[];
  /** The user's switch; `currentRunId` says whether it is busy. */
  readonly isAvailable: boolean;
  readonly alertsEnabled: boolean;
  /** Set by PATCH status `error`: no runs, remote input still works. */
  readonly outOfService: boolean;
  readonly createdAt: string;
  readonly lastSeen: string;
  readonly parameters: JsonObject;
  readonly sensitiveAliases: readonly string[];
  readonly secretName: string | null;
  /** Digest of the machine's own secret, which its driver has proved to have. */
  readonly secretDigest: string | null;
  /** Digest of a secret that a welcome has given and the driver has not proved. */
  readonly pendingSecretDigest: string | null;
  readonly reservedSessionId: string | null;
  /** Its reservation is being cleared since then; it takes no run meanwhile. */
  readonly clearingSince: string | null;
  readonly linkedKeepaliveMachineId: string | null;
  readonly currentRunId: string | null;
  readonly poolIds: readonly string[];
  readonly connection: CurrentConnection | null;
  /** When it lost its last connection; null while connected, and before the first. */
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
  | "reservedSessionId"
>;

export type MachineSecret = Pick<Machine, "sensitiveAliases" | "secretName">;

export interface NewMachine
  extends Pick<Machine, "id" | "organizationId" | "userId" | "fingerprint">,
    Partial<Omit<MachineSettings, "reservedSessionId"> & MachineSecret> {
  readonly createdAtMs: number;
}

/** Plain strings are "" when unknown, never null. */
export function newMachine({ createdAtMs, ...known }: NewMachine): Machine {
  const createdAt = isoTimestamp(createdAtMs);
  return {
    name: "",
    version: "",
    hostname: "",
    osInfo: "",
    parameters: {},
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
    poolIds: [],
    connection: null,
    disconnectedAt: null,
    deletedAt: null,
    revision: 1,
  };
}
