import { machineSecretName } from "./secret-name.ts";

/** Whose secret a name says it is. */
export interface MachineSecretOwner {
  readonly organizationId: string;
  readonly machineId: string;
}

/**
 * Reads back what `machineSecretName` wrote.
 *
 * Undefined for the name of anything else, and for an organization whose id was too long to be in the name: the
 * result is used to delete, so what does not lead back to the very same name is nobody's.
 */
export function machineSecretOwner(deployment: string, name: string): MachineSecretOwner | undefined {
  const [, , segment = "", kind, machineId = "", id = ""] = name.split("/");
  if (kind !== "machine") return undefined;
  const organizationId = decodeSegment(segment);
  try {
    if (machineSecretName(deployment, organizationId, machineId, id) !== name) return undefined;
  } catch {
    // Not made of UUIDs, or of an empty organization: no name of a machine's secret.
    return undefined;
  }
  return { organizationId, machineId };
}

function decodeSegment(segment: string): string {
  const bytes = segment.match(/\.[0-9A-F]{2}|[^.]/g) ?? [];
  return Buffer.concat(
    bytes.map((piece) => (piece.length === 3 ? Buffer.from(piece.slice(1), "hex") : Buffer.from(piece))),
  ).toString("utf8");
}
