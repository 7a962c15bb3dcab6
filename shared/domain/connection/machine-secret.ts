import type { Machine } from "../machine/machine.ts";
import type { Connection } from "./connection.ts";

/** Digests of a machine's own secret; the service keeps no more of it. */
export type SecretDigests = Pick<Machine, "secretDigest" | "pendingSecretDigest">;

/**
 * Whether a driver that showed this digest may become the machine. Without a proven secret, whoever comes while nobody is
 * connected: the welcome with the pending one may have been lost.
 */
export function isOwnDriver(
  machine: SecretDigests & Pick<Machine, "connection">,
  shown: string | null,
): boolean {
  const { secretDigest, pendingSecretDigest, connection } = machine;
  if (shown !== null && (shown === secretDigest || shown === pendingSecretDigest)) return true;
  return secretDigest === null && (pendingSecretDigest === null || connection === null);
}

/** Whether a driver that keeps a secret is to get one: it showed none that counts, and has proved none since. */
export function needsSecret(machine: Machine, { id, shownSecretDigest }: Connection): boolean {
  const { secretDigest, pendingSecretDigest, connection } = machine;
  if (secretDigest === null) return true;
  if (shownSecretDigest === secretDigest) return false;
  return connection?.id !== id || pendingSecretDigest !== null;
}
