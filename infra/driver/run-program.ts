import { spawn } from "node:child_process";

const outputBytesMax = 64 * 1024 * 1024;

export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What must not show in a list of processes goes here and not into the arguments. */
  readonly stdin?: string;
  readonly signal?: AbortSignal;
}

/** A program that could not be run to its end; its message names the program and nothing that it was given. */
export class ProgramFailed extends Error {
  override readonly name = "ProgramFailed";
}

/**
 * Runs a program without a shell.
 *
 * @throws {ProgramFailed} when it is not installed, was cancelled, or writes more than 64 MB.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const { env = process.env, stdin, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new ProgramFailed(`${program} was cancelled`));
      return;
    }
    const child = spawn(program, args, {
      env: { ...env },
      ...(signal === undefined ? {} : { signal }),
      killSignal: "SIGKILL",
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > outputBytesMax) child.kill("SIGKILL");
      else stdout.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < 64) stderr.push(chunk);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "ENOENT"
          ? "is not installed"
          : error.name === "AbortError"
            ? "was cancelled"
            : "failed to start";
      reject(new ProgramFailed(`${program} ${reason}`));
    });
    child.on("close", (exitCode) => {
      if (exitCode === null) reject(new ProgramFailed(`${program} was cancelled`));
      else resolve({ exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() });
    });
    // A program that ends before it has read its input breaks the pipe; its exit code says what happened.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin ?? "");
  });
}
