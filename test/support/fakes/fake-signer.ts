import { createHmac } from "node:crypto";
import type { Signer } from "../../../shared/domain/signer.ts";

export class FakeSigner implements Signer {
  readonly #key: string;

  constructor(key = "a key for tests") {
    this.#key = key;
  }

  async sign(purpose: string, data: string): Promise<string> {
    const mac = createHmac("sha256", this.#key).update(`${purpose}\n${data}`).digest("base64url");
    return `fake.${mac}`;
  }

  async verify(purpose: string, data: string, mac: string): Promise<boolean> {
    return (await this.sign(purpose, data)) === mac;
  }
}
