import { isoTimestamp } from "../clock.ts";
import type { Machine } from "./machine.ts";

/** What is known of a new machine; the other fields have fixed initial values. */
export interface NewMachine
  extends Pick<Machine, "id" | "organizationId" | "userId" | "fingerprint">,
    Partial<
      Pick<
        Machine,
        "name" | "version" | "hostname" | "osInfo" | "parameters" | "sensitiveAliases" | "secretName"
      >
    > {
  readonly createdAtMs: number;
}

/** A machine that no driver has connected yet. Plain strings are "" when unknown, never null. */
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
    ...known,
    keyServiceKeyId: "",
    isAvailable: true,
    alertsEnabled: false,
    outOfService: false,
    createdAt,
    lastSeen: createdAt,
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
