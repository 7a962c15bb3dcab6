import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";

/** A tool or a package cannot be had on this machine, so that nothing is said of the client. */
export class NotToBeHad extends Error {
  override readonly name = "NotToBeHad";
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
}

const commandMsMax = 240_000;
const shownCharacters = 3_000;

/** A folder in which commands run, until a time at which no more is begun. */
export class Workplace {
  readonly folder: string;
  readonly #endsAtMs: number;

  private constructor(folder: string, endsAtMs: number) {
    this.folder = folder;
    this.#endsAtMs = endsAtMs;
  }

  static async create(folder: string, endsAtMs: number): Promise<Workplace> {
    await mkdir(folder, { recursive: true });
    return new Workplace(folder, endsAtMs);
  }

  /**
   * @throws {NotToBeHad} when there is no such command, or no time is left for it.
   * @throws {Error} with what it printed, when it fails.
   */
  async run(command: string, args: readonly string[], { env }: RunOptions = {}): Promise<void> {
    const leftMs = this.#endsAtMs - performance.now();
    if (leftMs <= 0) throw new NotToBeHad("the time for all clients is over");
    try {
      await promisify(execFile)(command, args, {
        cwd: this.folder,
        env: { ...process.env, ...env },
        timeout: Math.ceil(Math.min(leftMs, commandMsMax)),
        maxBuffer: 64 << 20,
      });
    } catch (error) {
      const { code, killed, stdout = "", stderr = "", message } = error as Failure;
      if (code === "ENOENT") throw new NotToBeHad(`there is no ${command}`);
      if (killed === true && leftMs < commandMsMax) throw new NotToBeHad("the time for all clients is over");
      const why = killed === true ? `took longer than ${commandMsMax / 1_000} s` : "failed";
      const printed = (`${stdout}${stderr}`.trim() || message).slice(-shownCharacters);
      throw new Error(`${command} ${why}: ${printed}`, { cause: error });
    }
  }

  /** @throws {NotToBeHad} when the command, which gets packages from a registry, fails. */
  async fetch(command: string, args: readonly string[], options?: RunOptions): Promise<void> {
    try {
      await this.run(command, args, options);
    } catch (error) {
      if (error instanceof NotToBeHad) throw error;
      throw new NotToBeHad(error instanceof Error ? error.message : String(error));
    }
  }
}

interface Failure extends Error {
  readonly code?: unknown;
  readonly killed?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
}
