import { randomUUID } from "node:crypto";
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from "@aws-sdk/client-dynamodb";

const indexes = ["list", "filter1", "filter2", "filter3", "filter4", "due"] as const;

function keySchema(prefix: string) {
  return [
    { AttributeName: `${prefix}pk`, KeyType: "HASH" as const },
    { AttributeName: `${prefix}sk`, KeyType: "RANGE" as const },
  ];
}

export const tableDefinition = {
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: keySchema(""),
  AttributeDefinitions: ["", ...indexes.map((index) => `${index}_`)].flatMap((prefix) => [
    { AttributeName: `${prefix}pk`, AttributeType: "S" as const },
    { AttributeName: `${prefix}sk`, AttributeType: "S" as const },
  ]),
  GlobalSecondaryIndexes: indexes.map((index) => ({
    IndexName: index,
    KeySchema: keySchema(`${index}_`),
    Projection: { ProjectionType: "KEYS_ONLY" as const },
  })),
} satisfies Omit<CreateTableCommandInput, "TableName">;

export interface TestTable {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

export async function createTestTable(url: string): Promise<TestTable> {
  const client = new DynamoDBClient({
    endpoint: url,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const tableName = `test-${randomUUID()}`;
  await client.send(new CreateTableCommand({ ...tableDefinition, TableName: tableName }));
  return { client, tableName };
}
