import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { resolve } from "node:path";
import { driverRefusals } from "../../../shared/vocabulary/drivers.ts";
import { jsonAnswer, problemAnswer, Refusal } from "../answer.ts";
import type { ShellUser } from "../shell-user.ts";
import { type ResultOf, type Route, serve } from "./desktop-operations.ts";
import { fileProblem } from "./file-access.ts";

const outputBytesMax = 1024 * 1024;
/** A program left in the background may hold the outputs open, so they are awaited no longer than this. */
const outputGraceMs = 200;

class Output {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    const room = outputBytesMax - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += chunk.byteLength;
  }

  toString(): string {
    const text = Buffer.concat(this.#chunks).toString();
    return this.#bytes > outputBytesMax ? `${text}\n[${this.#bytes - outputBytesMax} bytes left out]` : text;
  }
}

const disabled =
  "this driver takes no shell commands: it was started with --no-shell or without --allow-shell";

function startProblem(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "E2BIG") return new Refusal(422, "invalid_input", "body.command: too long for this system");
  if (code !== "ENOENT") return fileProblem(error);
  return new Refusal(422, "invalid_input", "body.working_directory: there is no such folder");
}

/** The driver may not kill processes below `sudo`: a line on the command's input makes it kill its own group. */
const killable = `exec 3<&0 </dev/null
{ read -r _ <&3 && kill -KILL 0; } >/dev/null 2>&1 &
exec /bin/sh -c "$1" 3<&-`;

/** In a process group of its own, a timeout ends the command's child processes, too. */
function spawnShell(command: string, cwd: string, user: ShellUser | undefined): ChildProcess {
  const options: SpawnOptions = { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] };
  const shell = ["-c", command];
  if (user === undefined) return spawn("/bin/sh", shell, options);
  const { name, uid, gid, env, bySudo } = user;
  if (!bySudo) return spawn("/bin/sh", shell, { ...options, uid, gid, env });
  const args = ["-n", "-u", name, "--", "/bin/sh", "-c", killable, "sh", command];
  return spawn("sudo", args, { ...options, env, stdio: ["pipe", "pipe", "pipe"] });
}

function runShell(
  command: string,
  cwd: string,
  user: ShellUser | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): ResultOf<"executeCommand"> {
  return new Promise((settle, reject) => {
    const child = spawnShell(command, cwd, user);
    const stdout = new Output();
    const stderr = new Output();
    let timeoutReached = false;
    child.stdout?.on("data", (chunk: Buffer) => stdout.add(chunk));
    child.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk));
    // The process may have ended before its input is written.
    child.stdin?.on("error", () => {});

    function killGroup(): void {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      if (child.stdin !== null) {
        child.stdin.end("\n");
        return;
      }
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    }
    const timer = setTimeout(() => {
      timeoutReached = true;
      killGroup();
    }, timeoutMs);
    signal.addEventListener("abort", killGroup, { once: true });

    child.on("error", (error) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", killGroup);
      reject(error);
    });
    child.on("exit", (exitCode, killedBy) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", killGroup);
      const finish = () => {
        clearTimeout(grace);
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
        settle({
          stdout: stdout.toString(),
          stderr: stderr.toString(),
          // A shell reports a program ended by a signal in this form.
          exit_code: exitCode ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy]),
          timeout_reached: timeoutReached,
        });
      };
      const grace = setTimeout(finish, outputGraceMs);
      child.once("close", finish);
    });
  });
}

export interface ShellRouteOptions {
  /** A relative `working_directory` starts at this folder. */
  readonly folder: string;
  readonly isAllowed: boolean;
  readonly user: ShellUser | undefined;
}

export function createShellRoute({ folder, isAllowed, user }: ShellRouteOptions): Route {
  return serve("executeCommand", async (body, request) => {
    if (!isAllowed) return problemAnswer(403, driverRefusals.shellDisabled, disabled);
    const cwd = resolve(folder, body.working_directory ?? ".");
    try {
      return jsonAnswer(200, await runShell(body.command, cwd, user, body.timeout * 1_000, request.signal));
    } catch (error) {
      throw startProblem(error);
    }
  });
}
