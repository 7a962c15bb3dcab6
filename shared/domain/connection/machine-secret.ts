import type { Machine } from "../machine/machine.ts";
import type { Connection } from "./connection.ts";

/** Digests of a machine's own secret; the service keeps no more of it. */
export type SecretDigests = Pick<Machine, "secretDigest" | "pendingSecretDigest">;

/** Without a proven secret, any driver may connect while none is connected: the welcome may have been lost. */
export function isOwnDriver(
  machine: SecretDigests & Pick<Machine, "connection">,
  shown: string | null,
): boolean {
  const { secretDigest, pendingSecretDigest, connection } = machine;
  if (shown !== null && (shown === secretDigest || shown === pendingSecretDigest)) return true;
  return secretDigest === null && (pendingSecretDigest === null || connection === null);
}

/** A driver gets a new secret unless it has shown a valid one, or proved one since. */
export function needsSecret(machine: Machine, { id, shownSecretDigest }: Connection): boolean {
  const { secretDigest, pendingSecretDigest, connection } = machine;
  if (secretDigest === null) return true;
  if (shownSecretDigest === secretDigest) return false;
  return connection?.id !== id || pendingSecretDigest !== null;
}
