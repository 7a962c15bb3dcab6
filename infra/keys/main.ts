import { text } from "node:stream/consumers";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { systemClock } from "../../shared/runtime/system.ts";
import { oldestSecretMs } from "../../shared/storage/run/run-secret.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { type OpenedTable, openTable } from "../operator/open-table.ts";
import { say } from "../operator/run-program.ts";
import { type KeysCommand, parseKeyArguments } from "./key-arguments.ts";
import { runPlatformKeys } from "./platform-keys.ts";
import { rotateDataKey } from "./rotate-data-key.ts";
import { type KeysOutput, runKeys, usageOutput } from "./run-keys.ts";

type RotateCommand = Extract<KeysCommand, { kind: "rotate-data-key" }>;

async function run(): Promise<KeysOutput> {
  const command = parseKeyArguments(process.argv.slice(2));
  if (command.kind === "help") return usageOutput();
  if (command.kind === "rotate-data-key") return await rotate(command);
  if (command.kind === "platform") return await platform(command);
  let opened: OpenedTable | undefined;
  try {
    opened = await openTable(command.target);
    return await runKeys(command, opened);
  } finally {
    opened?.client.destroy();
  }
}

async function platform(command: Extract<KeysCommand, { kind: "platform" }>): Promise<KeysOutput> {
  const { region } = command;
  const client = new SecretsManagerClient(region === undefined ? {} : { region });
  try {
    return await runPlatformKeys(client, command, async () => await text(process.stdin));
  } finally {
    client.destroy();
  }
}

async function rotate({ secretId, target }: RotateCommand): Promise<KeysOutput> {
  const { region } = target;
  const client = new SecretsManagerClient(region === undefined ? {} : { region });
  const opened = await openTable(target);
  try {
    const table = new DynamoTable({ ...opened, clock: systemClock });
    const at = { nowMs: systemClock.now(), oldestMs: await oldestSecretMs(table) };
    const kept = await rotateDataKey(client, secretId, at);
    return { out: [`rotated; ${kept} earlier versions are kept`], err: [] };
  } finally {
    client.destroy();
    opened.client.destroy();
  }
}

try {
  const { out, err } = await run();
  for (const line of out) say(line);
  for (const line of err) say(line, process.stderr);
} catch (error) {
  say(error instanceof Error ? error.message : String(error), process.stderr);
  process.exitCode = 1;
}
