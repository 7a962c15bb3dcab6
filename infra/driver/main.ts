import { type DriverArguments, parseDriverArguments, UsageError, usage } from "./driver-arguments.ts";
import { hideCredential } from "./hide-credential.ts";

/** For the last bytes of the closing handshake. */
const lastWordsMs = 200;

async function run(given: DriverArguments): Promise<void> {
  hideCredential(given);
  // Not before: what takes long to load is loaded once.
  const { runDriver } = await import("./run-driver.ts");
  const exitCode = await runDriver(given);
  setTimeout(() => process.exit(exitCode), lastWordsMs);
}

try {
  const given = parseDriverArguments(process.argv.slice(2), process.env);
  if (given === undefined) process.stdout.write(usage);
  else await run(given);
} catch (error) {
  process.stderr.write(`driver: ${error instanceof Error ? error.message : "failed"}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
