import { parseKeyArguments } from "./key-arguments.ts";
import { type OpenedTable, openTable } from "./open-table.ts";
import { type KeysOutput, runKeys, usageOutput } from "./run-keys.ts";

async function run(): Promise<KeysOutput> {
  const command = parseKeyArguments(process.argv.slice(2));
  if (command.kind === "help") return usageOutput();
  let opened: OpenedTable | undefined;
  try {
    opened = await openTable(command.target);
    return await runKeys(command, opened);
  } finally {
    opened?.client.destroy();
  }
}

try {
  const { out, err } = await run();
  for (const line of out) process.stdout.write(`${line}\n`);
  for (const line of err) process.stderr.write(`${line}\n`);
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
