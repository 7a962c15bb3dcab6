import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { Refusal } from "../../../answer.ts";
import type { ListedProgram } from "../../../programs/listed-program.ts";

/** A started program outlives the driver. */
export class StartedProgram {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @throws {Refusal} 502 where the system cannot start it. */
  static async start({ name, command }: ListedProgram, display: string): Promise<StartedProgram> {
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      cwd: homedir(),
      env: { ...process.env, DISPLAY: display },
      // A group of its own identifies the processes that it starts, and keeps the terminal's ctrl+c from it.
      detached: true,
      stdio: "ignore",
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error: NodeJS.ErrnoException) =>
        reject(new Refusal(502, "program_not_started", `${name} could not be started: ${error.code}`)),
      );
    });
    // A process that cannot be signalled emits an error.
    child.on("error", () => {});
    child.unref();
    return new StartedProgram(child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** A program that has handed its work to another process has not failed. */
  get failure(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (signalCode !== null) return `ended by ${signalCode}`;
    return exitCode === null || exitCode === 0 ? undefined : `ended with exit code ${exitCode}`;
  }

  owns(pid: number): boolean {
    return pid === this.pid || groupOf(pid) === this.pid;
  }
}

/** Source: proc_pid_stat(5). */
function groupOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before the state is in parentheses and may hold any character.
    const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(group);
  } catch {
    return undefined;
  }
}

/** Ignores a process that has ended or is another user's. @param pid is a group where it is negative. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  if (pid === process.pid) return;
  try {
    process.kill(pid, signal);
  } catch {
    // The caller checks afterwards what still runs.
  }
}

export function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}
