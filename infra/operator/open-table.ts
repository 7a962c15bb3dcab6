import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import type { TableTarget } from "./table-target.ts";

export interface OpenedTable {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

const stackFile = fileURLToPath(new URL("../../.local/stack.json", import.meta.url));
const StackFile = z
  .object({ control_url: z.url(), control_token: z.string(), log_file: z.string() })
  .transform(({ control_url: controlUrl, control_token: controlToken, log_file: logFile }) => ({
    controlUrl,
    controlToken,
    logFile,
  }));
const DynamoDbAddress = z.object({ url: z.url() });

/** @param but is a table to ignore, though its name fits. */
export async function openTable(target: TableTarget, but?: string): Promise<OpenedTable> {
  if (target.kind === "local") return await openLocal(but);
  const client = new DynamoDBClient(target.region === undefined ? {} : { region: target.region });
  if (target.kind === "table") return { client, tableName: target.tableName };
  // CloudFormation names a table after its stack and its logical id.
  const prefix = `das-${target.deployment}-data-Table-`;
  const tableName = await onlyTable(client, prefix, but);
  if (tableName !== undefined) return { client, tableName };
  throw new Error(`there is no deployment "${target.deployment}" in this account and Region`);
}

/** Opens it as `openTable` does, and closes it whatever happens. */
export async function withTable<Result>(
  target: TableTarget,
  use: (opened: OpenedTable) => Promise<Result>,
  but?: string,
): Promise<Result> {
  const opened = await openTable(target, but);
  try {
    return await use(opened);
  } finally {
    opened.client.destroy();
  }
}

/** The endpoint for AWS is bypassed, because its access keys change with each start. */
async function openLocal(but: string | undefined): Promise<OpenedTable> {
  const { controlUrl, controlToken: token } = readStackFile();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${controlUrl}/dynamodb`, { headers }).catch(() => undefined);
  if (!response?.ok) throw new Error('the local stack does not answer; start it with "npm start"');
  const { url } = DynamoDbAddress.parse(await response.json());
  const client = new DynamoDBClient({
    endpoint: url,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const tableName = await onlyTable(client, "", but);
  if (tableName === undefined) throw new Error("the local stack has no table yet");
  return { client, tableName };
}

/** @throws {Error} one sentence, when no stack is running. */
export function readStackFile(): z.output<typeof StackFile> {
  try {
    return StackFile.parse(JSON.parse(readFileSync(stackFile, "utf8")));
  } catch {
    throw new Error(
      'no local stack is running: "npm start", or give --deployment or --table for a deployed one',
    );
  }
}

async function onlyTable(
  client: DynamoDBClient,
  prefix: string,
  but: string | undefined,
): Promise<string | undefined> {
  // Names are sorted, so the first one with the prefix follows it directly.
  const start = prefix === "" ? {} : { ExclusiveStartTableName: prefix };
  const { TableNames = [] } = await client.send(new ListTablesCommand({ ...start, Limit: 3 }));
  const [name, second] = TableNames.filter((each) => each.startsWith(prefix) && each !== but);
  if (second !== undefined) throw new Error(`${name} and ${second} are both there; say which with --table`);
  return name;
}
