import { allCommands } from "./commands/all-commands.ts";
import { exitCodes } from "./program/failures.ts";
import { runCli } from "./program/run-cli.ts";
import { processTerminal } from "./terminal/terminal.ts";

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

async function main(): Promise<void> {
  const code = await runCli(
    {
      terminal: processTerminal(),
      commands: allCommands(),
      folder: process.cwd(),
      fetch,
      onInterrupt: (listener) => {
        process.on("SIGINT", listener);
        return () => void process.off("SIGINT", listener);
      },
    },
    process.argv.slice(2),
  );
  // Whatever a cancelled command has left behind must not keep the process; else all output is written first.
  if (code === exitCodes.cancelled) process.exit(code);
  process.exitCode = code;
}

void main();
