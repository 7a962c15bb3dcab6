import {
  BatchWriteItemCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/aws/aws-endpoint.ts";
import { newCredentials } from "../../../infra/local/aws/credentials.ts";
import { clientsOf, clientsOfRole } from "./clients.ts";

const tableName = "arn:aws:dynamodb:us-east-1:000000000000:table/main";
const properties = {
  TableName: "main",
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: ["pk", "sk", "list_pk", "list_sk"].map((AttributeName) => ({
    AttributeName,
    AttributeType: "S",
  })),
  GlobalSecondaryIndexes: [
    {
      IndexName: "list",
      KeySchema: [
        { AttributeName: "list_pk", KeyType: "HASH" },
        { AttributeName: "list_sk", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ],
  StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
  TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  DeletionProtectionEnabled: true,
};

const item = (pk: string) => ({ pk: { S: pk }, sk: { S: "a" }, list_pk: { S: "l" }, list_sk: { S: pk } });
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: "a" } });

let endpoint: AwsEndpoint;

beforeAll(async () => {
  endpoint = await startAwsEndpoint();
  await endpoint.createTable(properties, "unused");
});
afterAll(() => endpoint?.stop());

describe("createTable", () => {
  it("makes the table with its stream, index and time to live, once", async () => {
    const again = await endpoint.createTable(properties, "unused");
    expect(again.tableName).toBe("main");
    expect(again.streamArn).toContain("table/main/stream/");
    const { dynamoDb } = clientsOf(endpoint);
    const { TimeToLiveDescription } = await dynamoDb.send(
      new DescribeTimeToLiveCommand({ TableName: "main" }),
    );
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: "ttl", TimeToLiveStatus: "ENABLED" });
  });

  it("refuses a table that is there with other indexes", async () => {
    const other = {
      ...properties,
      GlobalSecondaryIndexes: [],
      AttributeDefinitions: properties.AttributeDefinitions.slice(0, 2),
    };
    await expect(endpoint.createTable(other, "unused")).rejects.toThrow("other keys, indexes or stream");
  });
});

describe("a function's role", () => {
  it("does what it is granted, on the table and its index", async () => {
    const { dynamoDb } = clientsOfRole(endpoint, "reader-writer", [
      {
        Action: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"],
        Resource: [tableName, `${tableName}/index/*`],
      },
    ]);
    await dynamoDb.send(new PutItemCommand({ TableName: "main", Item: item("granted") }));
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: "main", Key: key("granted") }));
    expect(Item).toEqual(item("granted"));
    const { Items } = await dynamoDb.send(
      new QueryCommand({
        TableName: "main",
        IndexName: "list",
        KeyConditionExpression: "list_pk = :l AND list_sk = :s",
        ExpressionAttributeValues: { ":l": { S: "l" }, ":s": { S: "granted" } },
      }),
    );
    expect(Items).toHaveLength(1);
  });

  it("is refused a scan, another table and a delete, and told role, action and resource", async () => {
    const { dynamoDb } = clientsOfRole(endpoint, "sweeper", [
      { Action: "dynamodb:GetItem", Resource: tableName },
    ]);
    await expect(dynamoDb.send(new ScanCommand({ TableName: "main" }))).rejects.toMatchObject({
      name: "AccessDeniedException",
      message: `User: arn:aws:sts::000000000000:assumed-role/sweeper/sweeper is not authorized to perform: dynamodb:Scan on resource: ${tableName} because no identity-based policy allows the dynamodb:Scan action`,
    });
    await expect(
      dynamoDb.send(new GetItemCommand({ TableName: "other", Key: key("a") })),
    ).rejects.toMatchObject({ name: "AccessDeniedException" });
  });

  it("is refused the whole transaction when one of its items is not granted, and nothing is written", async () => {
    const { dynamoDb } = clientsOfRole(endpoint, "putter", [
      { Action: "dynamodb:PutItem", Resource: tableName },
    ]);
    const put = { Put: { TableName: "main", Item: item("transacted") } };
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [put, { Delete: { TableName: "main", Key: key("b") } }],
    });
    await expect(dynamoDb.send(transaction)).rejects.toMatchObject({
      name: "AccessDeniedException",
      message: expect.stringContaining("dynamodb:DeleteItem"),
    });
    const admin = clientsOf(endpoint).dynamoDb;
    const read = new GetItemCommand({ TableName: "main", Key: key("transacted"), ConsistentRead: true });
    expect((await admin.send(read)).Item).toBeUndefined();
    await dynamoDb.send(new TransactWriteItemsCommand({ TransactItems: [put] }));
    expect((await admin.send(read)).Item).toBeDefined();
  });

  it("is refused items by their partition key, alone, in a batch and in a transaction", async () => {
    const writes = ["dynamodb:PutItem", "dynamodb:BatchWriteItem"];
    const { dynamoDb } = clientsOfRole(endpoint, "keyless", [
      { Action: writes, Resource: tableName },
      {
        Effect: "Deny",
        Action: writes,
        Resource: tableName,
        Condition: { "ForAnyValue:StringLike": { "dynamodb:LeadingKeys": "KEY#*" } },
      },
    ]);
    const put = (pk: string) => ({ TableName: "main", Item: item(pk) });
    const batch = (...pks: readonly string[]) =>
      new BatchWriteItemCommand({
        RequestItems: { main: pks.map((pk) => ({ PutRequest: { Item: item(pk) } })) },
      });
    const transaction = (...pks: readonly string[]) =>
      new TransactWriteItemsCommand({ TransactItems: pks.map((pk) => ({ Put: put(pk) })) });
    const refused = { name: "AccessDeniedException", message: expect.stringContaining("explicit deny") };
    await expect(dynamoDb.send(new PutItemCommand(put("KEY#1")))).rejects.toMatchObject(refused);
    await expect(dynamoDb.send(batch("ORG#1", "KEY#1"))).rejects.toMatchObject(refused);
    await expect(dynamoDb.send(transaction("ORG#1", "KEY#1"))).rejects.toMatchObject(refused);
    await dynamoDb.send(new PutItemCommand(put("ORG#1")));
    await dynamoDb.send(batch("ORG#2"));
    await dynamoDb.send(transaction("ORG#3"));
  });
});

describe("who calls", () => {
  it("refuses an unknown key, a wrong secret and a wrong token", async () => {
    const read = new GetItemCommand({ TableName: "main", Key: key("a") });
    const { admin } = endpoint;
    const unknown = clientsOf(endpoint, newCredentials()).dynamoDb;
    await expect(unknown.send(read)).rejects.toMatchObject({ name: "UnrecognizedClientException" });
    const wrongToken = clientsOf(endpoint, { ...admin, sessionToken: "x" }).dynamoDb;
    await expect(wrongToken.send(read)).rejects.toMatchObject({ name: "UnrecognizedClientException" });
    const wrongSecret = clientsOf(endpoint, { ...admin, secretAccessKey: "x" }).dynamoDb;
    await expect(wrongSecret.send(read)).rejects.toMatchObject({ name: "InvalidSignatureException" });
  });
});

describe("faults and counts", () => {
  it("cancels as many transactions as asked for with a conflict, without doing them", async () => {
    const { dynamoDb } = clientsOf(endpoint);
    endpoint.faults.inject({
      service: "dynamodb",
      operation: "TransactWriteItems",
      error: "TransactionConflict",
    });
    const transaction = new TransactWriteItemsCommand({
      TransactItems: ["x", "y"].map((pk) => ({ Put: { TableName: "main", Item: item(pk) } })),
    });
    const refused = await dynamoDb.send(transaction).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TransactionCanceledException);
    expect(refused).toMatchObject({
      CancellationReasons: [{ Code: "TransactionConflict" }, { Code: "None" }],
    });
    const { Item } = await dynamoDb.send(
      new GetItemCommand({ TableName: "main", Key: key("x"), ConsistentRead: true }),
    );
    expect(Item).toBeUndefined();
    await dynamoDb.send(transaction);
  });

  it("does the call and cuts the connection, when the answer is to be lost", async () => {
    const { dynamoDb } = clientsOf(endpoint);
    endpoint.faults.inject({ operation: "PutItem", effect: "disconnect_after" });
    const write = new PutItemCommand({ TableName: "main", Item: item("lost-answer") });
    await expect(dynamoDb.send(write)).rejects.toThrow();
    const { Item } = await dynamoDb.send(
      new GetItemCommand({ TableName: "main", Key: key("lost-answer"), ConsistentRead: true }),
    );
    expect(Item).toBeDefined();
  });
});
