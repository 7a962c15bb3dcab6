import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndex,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));
const Projection = z.object({
  ProjectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
  NonKeyAttributes: z.array(z.string()).optional(),
});

const TableProperties = z.object({
  TableName: z.string().optional(),
  KeySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string(), KeySchema, Projection })).optional(),
  StreamSpecification: z
    .object({ StreamViewType: z.enum(["NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY"]) })
    .optional(),
  TimeToLiveSpecification: z
    .object({ AttributeName: z.string().optional(), Enabled: z.boolean() })
    .optional(),
});

export interface CreatedTable {
  readonly tableName: string;
  readonly partitionKey: string;
  /** DynamoDB Local's ARNs have a region of its own, `ddblocal`. */
  readonly tableArn: string;
  readonly streamArn: string | undefined;
}

/**
 * Billing, encryption, recovery, deletion protection, tags and replicas are left out.
 *
 * @param properties must have every intrinsic resolved.
 * @throws {Error} when the table exists with other keys or indexes, or the properties are of another shape.
 */
export async function createTable(
  dynamoDbUrl: string,
  properties: unknown,
  fallbackName: string,
): Promise<CreatedTable> {
  const table = TableProperties.parse(properties);
  const tableName = table.TableName ?? fallbackName;
  const client = new DynamoDBClient({
    endpoint: dynamoDbUrl,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  try {
    const existing = await findTable(client, tableName);
    const wanted = createTableInput(table, tableName);
    if (existing) {
      assertSameShape(existing, wanted);
      return created(existing, tableName);
    }
    const { TableDescription: description } = await client.send(new CreateTableCommand(wanted));
    const ttl = table.TimeToLiveSpecification;
    if (ttl?.Enabled && ttl.AttributeName !== undefined) {
      const TimeToLiveSpecification = { AttributeName: ttl.AttributeName, Enabled: true };
      await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
    }
    return created(description ?? {}, tableName);
  } finally {
    client.destroy();
  }
}

function createTableInput(
  table: z.infer<typeof TableProperties>,
  tableName: string,
): CreateTableCommandInput & { readonly KeySchema: z.infer<typeof KeySchema> } {
  const indexes = table.GlobalSecondaryIndexes?.map(
    ({ IndexName, KeySchema, Projection }): GlobalSecondaryIndex => ({
      IndexName,
      KeySchema,
      Projection: {
        ProjectionType: Projection.ProjectionType,
        ...(Projection.NonKeyAttributes && { NonKeyAttributes: Projection.NonKeyAttributes }),
      },
    }),
  );
  const stream = table.StreamSpecification;
  return {
    TableName: tableName,
    KeySchema: table.KeySchema,
    AttributeDefinitions: table.AttributeDefinitions,
    BillingMode: "PAY_PER_REQUEST",
    ...(indexes && indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.StreamViewType } }),
  };
}

async function findTable(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function assertSameShape(existing: TableDescription, wanted: CreateTableCommandInput): void {
  if (shape(existing) === shape(wanted)) return;
  throw new Error(
    `The data folder holds a table ${wanted.TableName} with other keys, indexes or stream than the template; ` +
      "remove the folder, or start with another one.",
  );
}

type Shaped = Pick<
  CreateTableCommandInput,
  "KeySchema" | "AttributeDefinitions" | "GlobalSecondaryIndexes" | "StreamSpecification"
>;

function shape(table: Shaped | TableDescription): string {
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(
    (index) => `${index.IndexName}(${keyText(index.KeySchema)} ${index.Projection?.ProjectionType})`,
  );
  const attributes = (table.AttributeDefinitions ?? []).map(
    (attribute) => `${attribute.AttributeName}:${attribute.AttributeType}`,
  );
  return JSON.stringify([
    keyText(table.KeySchema),
    attributes.sort(),
    indexes.sort(),
    table.StreamSpecification?.StreamViewType ?? "no stream",
  ]);
}

function keyText(keys: Shaped["KeySchema"]): string {
  return (keys ?? []).map((key) => `${key.KeyType}=${key.AttributeName}`).join(",");
}

function created(description: TableDescription, tableName: string): CreatedTable {
  return {
    tableName,
    partitionKey: description.KeySchema?.find(({ KeyType }) => KeyType === "HASH")?.AttributeName ?? "",
    tableArn: description.TableArn ?? "",
    streamArn: description.LatestStreamArn,
  };
}
