import { text } from "node:stream/consumers";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { systemClock } from "../../shared/runtime/system.ts";
import { oldestSecretMs } from "../../shared/storage/run/run-secret.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { withTable } from "../operator/open-table.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { type KeysCommand, keysCommandOf, options, usage } from "./key-arguments.ts";
import { runPlatformKeys } from "./platform-keys.ts";
import { rotateDataKey } from "./rotate-data-key.ts";
import { type KeysOutput, runKeys } from "./run-keys.ts";

await runProgram({
  usage,
  options,
  takesWords: true,
  async run({ values, positionals }) {
    const { out, err } = await outputOf(keysCommandOf(values, positionals));
    for (const line of out) say(line);
    for (const line of err) say(line, process.stderr);
  },
});

async function outputOf(command: KeysCommand): Promise<KeysOutput> {
  if (command.kind === "platform") {
    return await withSecrets(command.region, (client) =>
      runPlatformKeys(client, command, async () => await text(process.stdin)),
    );
  }
  if (command.kind !== "rotate-data-key") {
    return await withTable(command.target, (opened) => runKeys(command, opened));
  }
  const { secretId, target } = command;
  const oldestMs = await withTable(target, (opened) =>
    oldestSecretMs(new DynamoTable({ ...opened, clock: systemClock })),
  );
  const at = { nowMs: systemClock.now(), oldestMs };
  const kept = await withSecrets(target.region, (client) => rotateDataKey(client, secretId, at));
  return { out: [`rotated; ${kept} earlier versions are kept`], err: [] };
}

async function withSecrets<Result>(
  region: string | undefined,
  use: (client: SecretsManagerClient) => Promise<Result>,
): Promise<Result> {
  const client = new SecretsManagerClient(region === undefined ? {} : { region });
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}
