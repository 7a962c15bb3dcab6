import { ResourceNotFoundException, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { createEncryption } from "../../../shared/secrets/encryption/create-encryption.ts";
import { FakeClock } from "./fake-clock.ts";

/** The data key's secret: versions, and who reads them. */
export class FakeDataKey {
  readonly versions = new Map<string, string>();
  current = "";
  reads = 0;
  isAway = false;
  #made = 0;

  constructor() {
    this.rotate();
  }

  /** Makes another version the current one, which it returns. */
  rotate(): string {
    this.#made += 1;
    const number = String(this.#made);
    this.current = `00000000-0000-4000-8000-${number.padStart(12, "0")}`;
    this.versions.set(this.current, number.repeat(64).slice(0, 64));
    return this.current;
  }

  readonly client = {
    send: async ({ input }: { readonly input: { readonly VersionId?: string } }) => {
      this.reads += 1;
      if (this.isAway) throw new Error("away");
      const VersionId = input.VersionId ?? this.current;
      const key = this.versions.get(VersionId);
      if (!key) throw new ResourceNotFoundException({ message: "no such version", $metadata: {} });
      return { VersionId, SecretString: JSON.stringify({ key }) };
    },
  } as unknown as Pick<SecretsManagerClient, "send">;
}

/** As in the service, but for a nonce that is always the same, so that fixtures are. */
export const testEncryption = createEncryption({
  ...{ client: new FakeDataKey().client, secretId: "data-key", clock: new FakeClock() },
  random: (bytes) => Buffer.alloc(bytes, "nonce"),
});
