import { allCommands } from "./commands/all-commands.ts";
import { exitCodes } from "./program/failures.ts";
import { runCli } from "./program/run-cli.ts";
import { processTerminal } from "./terminal/terminal.ts";

const finalSignals = ["SIGTERM", "SIGHUP"] as const;
let hasReader = true;

// A reader that has seen enough, such as `head`, is no error; a command may have to clean up.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  if (hasReader && !process.emit("SIGTERM", "SIGTERM")) process.exit();
  hasReader = false;
});

async function main(): Promise<void> {
  const code = await runCli(
    {
      terminal: processTerminal(),
      commands: allCommands(),
      folder: process.cwd(),
      fetch,
      onInterrupt: (listener) => {
        const [onInterrupt, onFinal] = [() => listener(false), () => listener(true)];
        process.on("SIGINT", onInterrupt);
        for (const signal of finalSignals) process.on(signal, onFinal);
        return () => {
          process.off("SIGINT", onInterrupt);
          for (const signal of finalSignals) process.off(signal, onFinal);
        };
      },
    },
    process.argv.slice(2),
  );
  // Whatever a cancelled command has left behind must not keep the process; else all output is written first.
  if (code === exitCodes.cancelled) process.exit(hasReader ? code : exitCodes.done);
  process.exitCode = code;
}

void main();
