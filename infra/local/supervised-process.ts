import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";

/**
 * The watcher reads a pipe from this process and ends the program when the pipe ends, however this process
 * ended. The shell exits with the program's own status.
 */
const supervisor = `
exec 4<&0
"$@" <&3 3<&- 4<&- & program=$!
exec 3<&-
( cat <&4 >/dev/null; kill "$program" 2>/dev/null ) >/dev/null 2>&1 & watcher=$!
exec 4<&-
wait "$program"; status=$?
exit $status`;

const stopWithinMs = 5_000;

export type SupervisedProcess = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  readonly stop: () => Promise<void>;
};

export type SupervisedOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly onLine?: (line: string) => void;
  /** The program reads it from standard input. It must not reject. @default nothing */
  readonly input?: Promise<string>;
};

/** The program never outlives this process; in a session of its own, Ctrl-C does not reach it. */
export function startSupervised(
  command: string,
  args: readonly string[],
  { env, onLine, input = Promise.resolve("") }: SupervisedOptions,
): SupervisedProcess {
  const child = spawn("sh", ["-c", supervisor, "sh", command, ...args], {
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
    env,
  });
  const inputPipe = child.stdio[3];
  if (inputPipe instanceof Socket) void input.then((text) => inputPipe.end(text));
  let text = "";
  let partial = "";
  const add = (chunk: Buffer): void => {
    text = (text + chunk.toString("utf8")).slice(-4_000);
    const lines = (partial + chunk.toString("utf8")).split("\n");
    partial = lines.pop() ?? "";
    for (const line of lines) onLine?.(line);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  // Writing to an ended process fails with EPIPE; its exit is reported separately.
  child.stdin?.on("error", () => {});
  inputPipe?.on("error", () => {});
  child.on("error", (error) => add(Buffer.from(`${error.message}\n`)));
  const hasEnded = (): boolean =>
    child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  return {
    child,
    output: () => text,
    hasEnded,
    stop: async () => {
      const gone = hasEnded() ? undefined : once(child, "exit");
      child.stdin?.destroy();
      if (gone === undefined) return;
      const force = setTimeout(() => {
        if (child.pid !== undefined && !hasEnded()) process.kill(-child.pid, "SIGKILL");
      }, stopWithinMs);
      await gone;
      clearTimeout(force);
    },
  };
}
