import { show } from "../../output/show.ts";
import type { Command } from "../../program/command.ts";
import type { ExitCode } from "../../program/failures.ts";
import { numberOf, stdinHint, textOf } from "./text-input.ts";

/** As `timeout` of the GNU core utilities has it. */
const timedOutCode = 124;
/** A shell's code for a command that a signal has ended, where the signal is not known. */
const signalledCode = 128;

export const execCommand: Command = {
  noun: "machines",
  verb: "exec",
  summary: "Runs a command in a machine's shell",
  description:
    "What it writes is written here, byte for byte, and its exit code is this command's: 124 where it took too long. A refusal by the service is 3, an unreachable service 4; --json tells them apart",
  arguments: [
    { name: "machine_id", text: "The machine's id." },
    { name: "command", text: `The command line; ${stdinHint}.`, isOptional: true },
  ],
  options: [
    { flags: "--working-directory <path>", text: "The command's folder.", preset: "the driver's root" },
    { flags: "--timeout <seconds>", text: "Time after which the command is ended.", preset: "15" },
  ],
  examples: ["das machines exec MACHINE_ID 'ls -l'", "das machines exec MACHINE_ID < script.sh"],
  operations: ["executeCommand"],
  run: async (context, { words: [machine_id = "", given], options }) => {
    const command = await textOf(context, given, "command");
    const { workingDirectory, timeout } = options;
    const { client } = await context.connect();
    const result = await client.call("executeCommand", {
      path: { machine_id },
      body: {
        command,
        ...(workingDirectory === undefined ? {} : { working_directory: String(workingDirectory) }),
        ...(timeout === undefined ? {} : { timeout: numberOf(timeout, "--timeout") }),
      },
      signal: context.signal,
    });
    const { stdout, stderr, exit_code, timeout_reached } = result;
    if (context.form !== "table") {
      show(context, result);
    } else {
      context.terminal.out(stdout);
      context.terminal.err(stderr);
    }
    return (exit_code ?? (timeout_reached ? timedOutCode : signalledCode)) as ExitCode;
  },
};
