import { TunnelHeader } from "../../shared/contract/tunnel.ts";
import type { DriverFacts } from "../../shared/domain/connection/connection.ts";
import { DomainError } from "../../shared/domain/errors.ts";
import type { TunnelEvent } from "./tunnel-event.ts";

export interface Handshake {
  readonly fingerprint: string;
  readonly machineSecret: string | null;
  readonly facts: DriverFacts;
  readonly remotePeerId: string | null;
  readonly keepaliveFor: string | null;
}

const headerCharactersMax = 255;
const printableAscii = /^[\x20-\x7e]*$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The gateway passes header names on as sent. */
export function findHeader(event: TunnelEvent, name: string): string | undefined {
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return found?.[1];
}

/** @throws {DomainError} `bad_request` that names the header. */
export function readHandshake(event: TunnelEvent): Handshake {
  const fingerprint = (readText(event, TunnelHeader.fingerprint) ?? "").toLowerCase();
  if (!uuid.test(fingerprint)) {
    throw new DomainError("bad_request", "X-Machine-Fingerprint must be the UUID of the installation");
  }
  const name = readText(event, TunnelHeader.name);
  const hostname = readText(event, TunnelHeader.hostname);
  const version = readText(event, TunnelHeader.driverVersion);
  return {
    fingerprint,
    machineSecret: readText(event, TunnelHeader.machineSecret) ?? null,
    facts: {
      ...(name !== undefined && { name }),
      ...(hostname !== undefined && { hostname }),
      ...(version !== undefined && { version }),
    },
    remotePeerId: readText(event, TunnelHeader.remotePeerId) ?? null,
    keepaliveFor: readText(event, TunnelHeader.keepaliveFor) ?? null,
  };
}

/** An empty header counts as absent. */
function readText(event: TunnelEvent, name: string): string | undefined {
  const value = findHeader(event, name)?.trim();
  if (value === undefined || value === "") return undefined;
  if (value.length <= headerCharactersMax && printableAscii.test(value)) return value;
  throw new DomainError(
    "bad_request",
    `${name} must be printable ASCII of at most ${headerCharactersMax} characters`,
  );
}
