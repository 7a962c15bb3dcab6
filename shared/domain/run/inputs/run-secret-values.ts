import { Undecryptable } from "../../encryption.ts";
import type { Logger } from "../../logger.ts";
import type { SecretValues } from "../../secret-store.ts";
import { ownSecretValues } from "../create/new-secret.ts";
import type { Run } from "../run.ts";
import type { RunStore } from "../run-store.ts";

/** Returns undefined when the values are gone or undecryptable, since sending them again is the remedy for both. */
export async function runSecretValues(
  { runs, logger }: { readonly runs: Pick<RunStore, "readSecret">; readonly logger: Logger },
  run: Run,
): Promise<SecretValues | undefined> {
  try {
    const values = await runs.readSecret(run);
    return values && ownSecretValues(run, values);
  } catch (cause) {
    if (!(cause instanceof Undecryptable)) throw cause;
    logger.error("a run's sensitive values cannot be decrypted", { run_id: run.id, cause });
    return undefined;
  }
}
