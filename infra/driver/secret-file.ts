import { open, rename } from "node:fs/promises";
import { UsageError } from "./driver-arguments.ts";
import { readPrivateFile } from "./private-file.ts";

export interface MachineSecretStore {
  /** Returns undefined until the service has issued a secret. */
  read(): Promise<string | undefined>;
  /** Once it resolves, the new secret survives a crash. */
  write(secret: string): Promise<void>;
}

const secretText = /^[\w-]{43}$/;

export class SecretFile implements MachineSecretStore {
  readonly #file: string;
  readonly #draft: string;

  /** @param fingerprintFile is beside the secret, since the two belong together. */
  constructor(fingerprintFile: string) {
    this.#file = `${fingerprintFile}.secret`;
    this.#draft = `${this.#file}.new`;
  }

  get paths(): readonly string[] {
    return [this.#file, this.#draft];
  }

  /** @throws {UsageError} when others may open the file, or it does not hold a secret. */
  async read(): Promise<string | undefined> {
    const text = await readPrivateFile(this.#file, "secret file").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined || secretText.test(text)) return text;
    throw new UsageError(`the secret file ${this.#file} holds no machine's secret: restore or delete it`);
  }

  async write(secret: string): Promise<void> {
    const draft = await open(this.#draft, "w", 0o600);
    try {
      await draft.writeFile(`${secret}\n`);
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(this.#draft, this.#file);
  }
}
