import { type DriverArguments, parseDriverArguments, UsageError, usage } from "./driver-arguments.ts";
import { hideCredential } from "./hide-credential.ts";

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
