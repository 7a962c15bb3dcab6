import { randomUUID } from "node:crypto";
import {
  type AttributeValue,
  DynamoDBClient,
  ListTablesCommand,
  paginateScan,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { control } from "./stack-client.ts";

/**
 * The table of the stack, past its functions and their roles: only for states that no operation can cause, such as
 * elapsed time.
 */
export interface StackTable {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly url: string;
}

export async function openStackTable(): Promise<StackTable> {
  const { url } = await control<{ url: string }>("/dynamodb");
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials });
  const { TableNames: [name] = [] } = await client.send(new ListTablesCommand());
  if (name === undefined) throw new Error("the stack has no table");
  return { client, name, url };
}

export async function rowsOf(
  { client, name }: Pick<StackTable, "client" | "name">,
  organizationId: string,
  kind?: string,
): Promise<readonly Record<string, AttributeValue>[]> {
  const rows: Record<string, AttributeValue>[] = [];
  const pages = paginateScan(
    { client },
    {
      TableName: name,
      FilterExpression: "contains(pk, :organization)",
      ExpressionAttributeValues: { ":organization": { S: `#${organizationId}#` } },
    },
  );
  for await (const { Items = [] } of pages) rows.push(...Items);
  return kind === undefined ? rows : rows.filter((row) => row.kind?.S === kind);
}

export async function expireLeases({ client, name }: StackTable, organizationId: string): Promise<number> {
  const all = await rowsOf({ client, name }, organizationId, "idempotency_record");
  const idempotencyRecords = all.filter((item) => item.leased_until_ms !== undefined);
  for (const { pk, sk } of idempotencyRecords) {
    if (pk === undefined || sk === undefined) continue;
    await client.send(
      new UpdateItemCommand({
        TableName: name,
        Key: { pk, sk },
        UpdateExpression: "SET leased_until_ms = :past",
        ExpressionAttributeValues: { ":past": { N: "1" } },
      }),
    );
  }
  return idempotencyRecords.length;
}

/** Makes an organization's deletions look old to the sweeper. @returns the number of unfinished ones. */
export async function agedDeletions(table: StackTable, organizationId: string): Promise<number> {
  return await ageDue(table, organizationId, (row) => row.deleted_at !== undefined);
}

/** Makes these rows due long ago. @returns the number of rows. */
export async function ageDue(
  { client, name }: StackTable,
  organizationId: string,
  isMeant: (row: Record<string, AttributeValue>) => boolean,
): Promise<number> {
  const marked = (await rowsOf({ client, name }, organizationId)).filter(isMeant);
  for (const { pk, sk } of marked) {
    if (pk === undefined || sk === undefined) continue;
    const aged = {
      UpdateExpression: "SET due_sk = :past",
      ConditionExpression: "attribute_exists(due_pk)",
      ExpressionAttributeValues: { ":past": { S: "0" } },
    };
    await client.send(new UpdateItemCommand({ TableName: name, Key: { pk, sk }, ...aged }));
  }
  return marked.length;
}

/** Makes an organization's schedules due a minute ago. */
export async function ageSchedules({ client, name }: StackTable, organizationId: string): Promise<void> {
  const pastMs = Math.floor(Date.now() / 60_000 - 1) * 60_000;
  for (const { pk, sk, due_sk } of await rowsOf({ client, name }, organizationId, "schedule")) {
    if (pk === undefined || sk === undefined || due_sk?.S === undefined) continue;
    await client.send(
      new UpdateItemCommand({
        TableName: name,
        Key: { pk, sk },
        UpdateExpression: "SET due_at = :at, due_sk = :past",
        ExpressionAttributeValues: {
          ":at": { S: new Date(pastMs).toISOString() },
          ":past": { S: `${pastMs.toString(16).padStart(12, "0")}${due_sk.S.slice(12)}` },
        },
      }),
    );
  }
}

export async function ageConnections({ client, name }: StackTable, organizationId: string): Promise<void> {
  const turn = Math.floor(Date.now() / 60_000) % 5;
  for (const { pk, sk, due_sk } of await rowsOf({ client, name }, organizationId, "connection")) {
    if (pk === undefined || sk === undefined || due_sk?.S === undefined) continue;
    const values = {
      ":shard": { S: `LIVE#${turn}` },
      ":past": { S: `${"0".repeat(12)}${due_sk.S.slice(12)}` },
    };
    const UpdateExpression = "SET due_pk = :shard, due_sk = :past";
    await client.send(
      new UpdateItemCommand({
        TableName: name,
        Key: { pk, sk },
        UpdateExpression,
        ExpressionAttributeValues: values,
      }),
    );
  }
}

/** Assigns a waiting run to a machine, which only matching does. Returns the assignment's id. */
export async function assignRun(
  { client, name }: StackTable,
  ids: { readonly organizationId: string; readonly runId: string; readonly machineId: string },
): Promise<string> {
  const assignmentId = randomUUID();
  await client.send(
    new UpdateItemCommand({
      TableName: name,
      Key: { pk: { S: `ORG#${ids.organizationId}#RUN#${ids.runId}` }, sk: { S: "#" } },
      UpdateExpression: "SET #status = :running, machine_id = :machine, assignment_id = :assignment",
      ConditionExpression: "#status = :scheduling",
      ExpressionAttributeNames: { "#status": "status" },
      ExpressionAttributeValues: {
        ":running": { S: "running" },
        ":scheduling": { S: "scheduling" },
        ":machine": { S: ids.machineId },
        ":assignment": { S: assignmentId },
      },
    }),
  );
  return assignmentId;
}

export async function secretsOf(organizationId: string): Promise<readonly string[]> {
  const { items } = await control<{ items: readonly { name: string; is_deleted: boolean }[] }>(
    "/aws/secrets",
  );
  return items
    .filter((each) => !each.is_deleted && each.name.includes(organizationId))
    .map(({ name }) => name);
}
