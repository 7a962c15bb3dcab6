import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Clock } from "../domain/clock.ts";
import type { ProviderKey } from "../domain/model/provider-key.ts";
import type { PlatformKeys } from "../domain/provider/own-provider-keys.ts";
import type { ProviderSlot } from "../vocabulary/providers.ts";
import { isDeleted } from "./is-being-deleted.ts";

/** After a change an instance uses the previous key for at most this long. */
const keptMs = 300_000;

/** These names are separate from the customers' secrets, which the sweeper removes when no row names them. */
export function platformKeyName(deployment: string, slot: ProviderSlot): string {
  return `das-platform/${deployment}/${slot}`;
}

export interface SecretsManagerPlatformKeysOptions {
  readonly client: Pick<SecretsManagerClient, "send">;
  readonly deployment: string;
  readonly clock: Pick<Clock, "now">;
}

/** The operator's program (`infra/keys`) writes these secrets, as JSON of a `ProviderKey`. */
export class SecretsManagerPlatformKeys implements PlatformKeys {
  readonly #options: SecretsManagerPlatformKeysOptions;
  readonly #kept = new Map<ProviderSlot, { readonly key: ProviderKey; readonly untilMs: number }>();

  constructor(options: SecretsManagerPlatformKeysOptions) {
    this.#options = options;
  }

  async find(slot: ProviderSlot): Promise<ProviderKey | undefined> {
    const { client, deployment, clock } = this.#options;
    const kept = this.#kept.get(slot);
    if (kept !== undefined && kept.untilMs > clock.now()) return kept.key;
    this.#kept.delete(slot);
    try {
      const SecretId = platformKeyName(deployment, slot);
      const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId }));
      if (text === undefined) return undefined;
      const key = JSON.parse(text) as ProviderKey;
      this.#kept.set(slot, { key, untilMs: clock.now() + keptMs });
      return key;
    } catch (error) {
      if (isDeleted(error)) return undefined;
      throw error;
    }
  }
}
