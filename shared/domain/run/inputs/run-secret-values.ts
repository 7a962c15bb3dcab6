import { Undecryptable } from "../../encryption.ts";
import type { Logger } from "../../logger.ts";
import type { SecretValues } from "../../secret-store.ts";
import { ownSecretValues } from "../create/chain-secret.ts";
import type { Run } from "../run.ts";
import type { RunStore } from "../run-store.ts";

/**
 * The values of a run's own sensitive inputs; undefined when they are gone. Ones that cannot be decrypted count as gone,
 * because whoever sends them again has what is needed.
 */
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
