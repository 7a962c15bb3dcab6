import { CommanderError } from "commander";
import { createApiClient } from "../../../shared/client/api-client.ts";
import { complete } from "../completion/complete.ts";
import { chooseService } from "../service/choose-service.ts";
import { styled } from "../terminal/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readLine } from "./arguments.ts";
import type { Command } from "./command.ts";
import type { Connection, Context, InterruptListener } from "./context.ts";
import { createProgram } from "./create-program.ts";
import { Cancelled, type ExitCode, exitCodeOf, exitCodes, sentenceOf, UsageError } from "./failures.ts";
import { nounTexts } from "./noun-texts.ts";

export interface CliParts {
  readonly terminal: Terminal;
  readonly commands: readonly Command[];
  readonly folder: string;
  readonly fetch: typeof fetch;
  readonly pause?: (ms: number) => Promise<void>;
  /** Calls the listener at each ctrl-C, and when the process is to end. @returns a function that ends this. */
  readonly onInterrupt: (listener: InterruptListener) => () => void;
}

/** @param line is what was given after the program's name. @returns the code with which the process ends. */
export async function runCli(parts: CliParts, line: readonly string[]): Promise<ExitCode> {
  const { terminal, commands } = parts;
  if (line[0] === "__complete") {
    await complete(terminal, commands, () => connect(parts, undefined), line.slice(1));
    return exitCodes.done;
  }
  let code: ExitCode = exitCodes.done;
  const words = readLine(line);
  const program = createProgram(
    {
      commands,
      nounTexts,
      columns: terminal.columns,
      out: terminal.out,
      err: terminal.err,
      run: async (command, given) => {
        code = (await runCommand(parts, command, given)) ?? code;
      },
    },
    words,
  );
  try {
    await program.parseAsync([...words], { from: "user" });
    return code;
  } catch (failure) {
    if (failure instanceof CommanderError && failure.exitCode === 0) return exitCodes.done;
    if (failure instanceof CommanderError && isHelp(failure)) return exitCodes.usage;
    const known = failure instanceof CommanderError ? new UsageError(sentenceOfParser(failure)) : failure;
    if (!(known instanceof Cancelled)) {
      terminal.err(`${styled("red", "das:", terminal.errorHasColour)} ${sentenceOf(known)}\n`);
    }
    return exitCodeOf(known);
  }
}

/** A noun without a verb shows its help. */
function isHelp({ code }: CommanderError): boolean {
  return code === "commander.help" || code === "commander.helpDisplayed";
}

function sentenceOfParser({ message }: CommanderError): string {
  // The value of an option that does not exist may be a secret.
  return message
    .replace(/^error: /, "")
    .replace(/^(unknown option '[^'=]+)=.*'/s, "$1'")
    .replace("\n(Did you mean", " (did you mean");
}

async function runCommand(
  parts: CliParts,
  command: Command,
  given: Parameters<Command["run"]>[1],
): Promise<ExitCode | undefined> {
  const { json, jsonl, profile } = given.options as Readonly<Record<string, unknown>>;
  if (json === true && jsonl === true) throw new UsageError("--json and --jsonl do not go together");
  const ending = new AbortController();
  const listeners: InterruptListener[] = [() => ending.abort(new Cancelled())];
  const stopListening = parts.onInterrupt((isFinal) => listeners.at(-1)?.(isFinal));
  let connection: Promise<Connection> | undefined;
  const context: Context = {
    terminal: parts.terminal,
    folder: parts.folder,
    fetch: parts.fetch,
    form: json === true ? "json" : jsonl === true ? "lines" : "table",
    profile: profile as string | undefined,
    signal: ending.signal,
    onInterrupt: (listener) => {
      listeners.push(listener);
      return () => {
        const at = listeners.indexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    connect: () => {
      connection ??= connect(parts, profile as string | undefined);
      return connection;
    },
  };
  try {
    // A command that does not heed the signal at once, such as a pause before a retry, is left behind.
    return await Promise.race([command.run(context, given), aborted(ending.signal)]);
  } catch (failure) {
    // An aborted call reports that it was not answered.
    throw ending.signal.aborted ? ending.signal.reason : failure;
  } finally {
    stopListening();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

async function connect(
  { terminal, folder, fetch, pause }: CliParts,
  profile: string | undefined,
): Promise<Connection> {
  const service = await chooseService({ environment: terminal.environment, folder, profile });
  const client = createApiClient({
    baseUrl: service.url,
    credentials: service.apiKey,
    fetch,
    ...(pause && { pause }),
  });
  return { ...service, client };
}
