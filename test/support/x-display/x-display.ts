import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

const programNames = ["Xvfb", "xdotool", "import", "xev", "xclip"];

/** What a real display is made with and this machine has not; tests that need one are skipped then. */
export const missingDisplayPrograms: readonly string[] = programNames.filter(
  (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0,
);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** A display of its own in memory, 1280x800 unless told; it ends what was started on it. */
export class XDisplay {
  /** Such as `:7`. */
  readonly name: string;
  readonly #server: ChildProcess;
  readonly #programs: ChildProcess[] = [];

  private constructor(name: string, server: ChildProcess) {
    this.name = name;
    this.#server = server;
  }

  static async open(width = 1280, height = 800): Promise<XDisplay> {
    // -noreset: the server would begin anew, pointer and all, whenever its last client leaves.
    const args = ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"];
    const server = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const pipe = server.stdio[3];
    if (pipe === null || pipe === undefined) throw new Error("no pipe to the X server");
    const [number] = await once(pipe, "data");
    return new XDisplay(`:${String(number).trim()}`, server);
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, DISPLAY: this.name };
  }

  /** Runs a program that shows a window; what it prints so far is read with `output`. */
  run(program: string, args: readonly string[], stdin?: string): { output(): string } {
    const child = spawn(program, args, { env: this.env, stdio: ["pipe", "pipe", "ignore"] });
    this.#programs.push(child);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end(stdin ?? "");
    return { output: () => Buffer.concat(chunks).toString() };
  }

  /** Runs a program to its end and answers what it printed. */
  read(program: string, args: readonly string[]): string {
    return spawnSync(program, args, { env: this.env, encoding: "utf8" }).stdout;
  }

  async close(): Promise<void> {
    for (const program of this.#programs) await end(program);
    await end(this.#server);
  }
}
