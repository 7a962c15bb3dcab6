import { UsageError } from "./driver-arguments.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

export interface MachineSecretStore {
  /** Returns undefined until the service at that address has issued a secret. */
  read(url: string): Promise<string | undefined>;
  /** Once it resolves, the new secret survives a crash. */
  write(secret: string, url: string): Promise<void>;
}

const secretText = /^[\w-]{43}$/;

export interface SecretFilesOptions {
  /** It is beside the secrets, since they belong together. */
  readonly fingerprintFile: string;
  readonly url: string;
  /** The hosts to which the service may move. */
  readonly allowedHosts: readonly string[];
}

/** A deployment gives its machine a secret of its own, so a driver that comes back from another one needs the old one. */
export class SecretFiles implements MachineSecretStore {
  readonly #options: SecretFilesOptions;

  constructor(options: SecretFilesOptions) {
    this.#options = options;
  }

  get paths(): readonly string[] {
    const { url, allowedHosts } = this.#options;
    const hosts = new Set([new URL(url).host, ...allowedHosts]);
    return [...hosts].map((host) => this.#fileOf(host)).flatMap((file) => [file, `${file}.new`]);
  }

  /** @throws {UsageError} when others may open the file, or it does not hold a secret. */
  async read(url: string): Promise<string | undefined> {
    const file = this.#fileOf(new URL(url).host);
    const text = await readPrivateFile(file, "secret file").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined || secretText.test(text)) return text;
    throw new UsageError(`the secret file ${file} holds no machine's secret: restore or delete it`);
  }

  async write(secret: string, url: string): Promise<void> {
    await writePrivateFile(this.#fileOf(new URL(url).host), `${secret}\n`);
  }

  #fileOf(host: string): string {
    const { fingerprintFile, url } = this.#options;
    const file = `${fingerprintFile}.secret`;
    return host === new URL(url).host ? file : `${file}.${host.replace(":", "_")}`;
  }
}
