import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DriverArguments,
  parseDriverArguments,
  UsageError,
  usage,
  withoutCredential,
} from "./driver-arguments.ts";

const lastWordsMs = 200;

/** @param start is called once the credential is hidden and the process restarted. */
export async function runDriverProgram(
  args: readonly string[],
  start: (given: DriverArguments) => Promise<number>,
): Promise<void> {
  try {
    const given = parseDriverArguments(args, process.env);
    if (given === undefined) {
      process.stdout.write(usage);
      return;
    }
    hideCredential(given);
    const exitCode = await start(given);
    setTimeout(() => process.exit(exitCode), lastWordsMs);
  } catch (error) {
    process.stderr.write(`driver: ${error instanceof Error ? error.message : "failed"}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function pipeToStandardInput(text: string): void {
  const pipe = join(tmpdir(), `.driver-${randomUUID()}`);
  execFileSync("mkfifo", ["-m", "600", pipe]);
  try {
    const writing = openSync(pipe, constants.O_RDWR);
    closeSync(0);
    // The opened end gets the lowest free descriptor, which is 0.
    const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    if (reading !== 0) throw new Error("standard input cannot be replaced");
    writeSync(writing, text);
    closeSync(writing);
  } finally {
    unlinkSync(pipe);
  }
}

/**
 * Restarts this process with the same id: its user's programs, above all shell commands, can read its original
 * arguments and environment in `/proc`. The restarted program reads the credential from standard input, a pipe.
 */
function hideCredential({ credential }: Pick<DriverArguments, "credential">): void {
  const { DRIVER_KEY: _key, DRIVER_TICKET: _ticket, ...env } = process.env;
  const isGiven = credential.kind === "key" || credential.kind === "ticket";
  if (!isGiven && Object.keys(env).length === Object.keys(process.env).length) return;
  if (process.platform === "win32" || process.execve === undefined) {
    delete process.env.DRIVER_KEY;
    delete process.env.DRIVER_TICKET;
    return;
  }
  const [node = process.execPath, program = "", ...args] = process.argv;
  const source =
    credential.kind === "key"
      ? ["--key-file", "-"]
      : credential.kind === "ticket"
        ? ["--ticket-file", "-"]
        : [];
  if (credential.kind === "key") pipeToStandardInput(credential.key);
  if (credential.kind === "ticket") pipeToStandardInput(credential.ticket);
  process.execve(
    process.execPath,
    [node, ...process.execArgv, program, ...withoutCredential(args), ...source],
    env,
  );
}
