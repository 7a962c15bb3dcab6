import type { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { createEncryption } from "../../../shared/secrets/encryption/create-encryption.ts";
import { type DataKeyValue, rotated } from "../../../shared/secrets/encryption/data-key-value.ts";
import { FakeClock } from "./fake-clock.ts";

export class FakeDataKey {
  value: DataKeyValue = { key: "1".padStart(64, "0"), earlier: [] };
  reads = 0;
  isAway = false;
  #made = 1;

  rotate(): void {
    this.#made += 1;
    this.value = rotated(this.value, String(this.#made).padStart(64, "0"), this.#made);
  }

  readonly client = {
    send: async () => {
      this.reads += 1;
      if (this.isAway) throw new Error("away");
      return { SecretString: JSON.stringify(this.value) };
    },
  } as unknown as Pick<SecretsManagerClient, "send">;
}

/** Encrypts as in the service, but with a constant nonce, so that fixtures are constant. */
export const testEncryption = createEncryption({
  client: new FakeDataKey().client,
  secretId: "data-key",
  clock: new FakeClock(),
  random: (bytes) => Buffer.alloc(bytes, "nonce"),
});
