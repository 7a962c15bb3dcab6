import { timingSafeEqual } from "node:crypto";
import type { KeySecretOptions } from "./current-key.ts";
import { SigningKeys, signingKey } from "./signing-keys.ts";

const purpose = "edge";

/** The previous secret is valid until the distribution has been deployed with the new one. */
export class EdgeSecret {
  readonly #keys: SigningKeys;

  constructor(options: KeySecretOptions) {
    this.#keys = new SigningKeys(options);
  }

  async verify(text: string): Promise<boolean> {
    const given = signingKey(text);
    const known = await this.#keys.find(given.id);
    if (known === undefined) return false;
    return timingSafeEqual(known.forPurpose(purpose).export(), given.forPurpose(purpose).export());
  }
}
