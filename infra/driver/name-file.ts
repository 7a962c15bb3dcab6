import { readFile, writeFile } from "node:fs/promises";
import { UsageError } from "./driver-arguments.ts";

/**
 * The name under which this installation became a machine. The service takes the driver's name for a new machine
 * only, so a second desktop with the same fingerprint would take over the first one's machine, under the first one's name.
 */
export class NameFile {
  readonly path: string;
  readonly #fingerprintFile: string;

  constructor(fingerprintFile: string) {
    this.#fingerprintFile = fingerprintFile;
    this.path = `${fingerprintFile}.name`;
  }

  /** @throws {UsageError} when the installation's machine was given another name. */
  async requireOwn(name: string | undefined): Promise<void> {
    const kept = await readFile(this.path, "utf8").catch(() => "");
    const known = kept.trim();
    if (name === undefined || known === "" || known === name) return;
    throw new UsageError(
      `the fingerprint file ${this.#fingerprintFile} is that of the machine "${known}": for another machine, "${name}", give a file of its own with --fingerprint-file; to rename this one, change its name in the API and delete ${this.path}`,
    );
  }

  /** The first name stays, as it does at the service. */
  async keep(name: string): Promise<void> {
    await writeFile(this.path, `${name}\n`, { flag: "wx", mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
  }
}
