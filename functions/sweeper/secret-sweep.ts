import {
  type RemoveUnnamedSecretsDeps,
  removeUnnamedSecrets,
} from "../../shared/domain/maintenance/remove-unnamed-secrets.ts";

/** Secrets that nothing names are rare and old; looking once an hour keeps an idle deployment nearly free. */
export const secretRoundEveryMs = 3_600_000;

/**
 * Goes through all old secrets, one page a run, and begins anew an hour after it reached the end. Where it stands it
 * knows for as long as the instance lives; a new one begins at the front.
 */
export function createSecretSweep(deps: RemoveUnnamedSecretsDeps): () => Promise<number> {
  let cursor: string | undefined;
  let nextRoundAtMs = 0;
  return async () => {
    const now = deps.clock.now();
    if (cursor === undefined && now < nextRoundAtMs) return 0;
    const from = cursor;
    // Should this page fail, the next run begins at the front: the cursor itself may be what is wrong.
    cursor = undefined;
    const page = await removeUnnamedSecrets(deps, from);
    cursor = page.cursor;
    if (cursor === undefined) nextRoundAtMs = now + secretRoundEveryMs;
    return page.removed;
  };
}
