import {
  type RemoveUnnamedSecretsDeps,
  removeUnnamedSecrets,
} from "../../shared/domain/maintenance/remove-unnamed-secrets.ts";

/** Unnamed secrets are rare and old; a round once an hour keeps an idle deployment nearly free. */
const secretRoundEveryMs = 3_600_000;

/**
 * Sweeps all old secrets, one page per run, and starts over an hour after the end. The position is kept in memory; a
 * new instance starts at the front.
 */
export function createSecretSweep(deps: RemoveUnnamedSecretsDeps): () => Promise<number> {
  let cursor: string | undefined;
  let nextRoundAtMs = 0;
  return async () => {
    const now = deps.clock.now();
    if (cursor === undefined && now < nextRoundAtMs) return 0;
    const from = cursor;
    // Should this page fail, the next run starts at the front: the cursor itself may be the cause.
    cursor = undefined;
    const page = await removeUnnamedSecrets(deps, from);
    cursor = page.cursor;
    if (cursor === undefined) nextRoundAtMs = now + secretRoundEveryMs;
    return page.removed;
  };
}
