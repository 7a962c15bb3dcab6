import { describe, expect, it } from "vitest";
import {
  dynamoDbPermissions,
  streamPermissions,
} from "../../../infra/local/aws/dynamodb/dynamodb-permissions.ts";

const tableName = "arn:aws:dynamodb:us-east-1:000000000000:table/main";

function needed(operation: string, body: Record<string, unknown>) {
  return dynamoDbPermissions(operation, body)?.map(({ action, resource }) => `${action} ${resource}`);
}

describe("dynamoDbPermissions", () => {
  it.each(["GetItem", "PutItem", "UpdateItem", "DeleteItem", "DescribeTable", "Scan"])(
    "judges %s on the table",
    (operation) => {
      expect(needed(operation, { TableName: "main" })).toEqual([`dynamodb:${operation} ${tableName}`]);
    },
  );

  it.each(["Query", "Scan"])("judges %s of an index on the index alone", (operation) => {
    expect(needed(operation, { TableName: "main", IndexName: "list" })).toEqual([
      `dynamodb:${operation} ${tableName}/index/list`,
    ]);
  });

  it("judges each item of a transaction by what it does, and the transaction by nothing else", () => {
    const on = { TableName: "main" };
    const TransactItems = [{ Put: on }, { Update: on }, { Delete: on }, { ConditionCheck: on }];
    expect(needed("TransactWriteItems", { TransactItems })).toEqual([
      `dynamodb:PutItem ${tableName}`,
      `dynamodb:UpdateItem ${tableName}`,
      `dynamodb:DeleteItem ${tableName}`,
      `dynamodb:ConditionCheckItem ${tableName}`,
    ]);
  });

  it("judges TransactGetItems as reads of each table", () => {
    const TransactItems = [{ Get: { TableName: "main" } }, { Get: { TableName: "other" } }];
    expect(needed("TransactGetItems", { TransactItems })).toEqual([
      `dynamodb:GetItem ${tableName}`,
      "dynamodb:GetItem arn:aws:dynamodb:us-east-1:000000000000:table/other",
    ]);
  });

  it.each(["BatchGetItem", "BatchWriteItem"])("judges %s once for each table", (operation) => {
    expect(needed(operation, { RequestItems: { main: [], other: [] } })).toEqual([
      `dynamodb:${operation} ${tableName}`,
      `dynamodb:${operation} arn:aws:dynamodb:us-east-1:000000000000:table/other`,
    ]);
  });

  describe("the leading keys", () => {
    const item = (pk: string) => ({ pk: { S: pk }, sk: { S: "a" } });
    const keysOf = (operation: string, body: Record<string, unknown>) =>
      dynamoDbPermissions(operation, body, (table) => (table === "main" ? "pk" : undefined))?.map(
        ({ context }) => context && "dynamodb:LeadingKeys" in context && context["dynamodb:LeadingKeys"],
      );

    it.each([
      ["PutItem", { Item: item("KEY#1") }],
      ["UpdateItem", { Key: item("KEY#1") }],
      ["DeleteItem", { Key: item("KEY#1") }],
      ["GetItem", { Key: item("KEY#1") }],
    ])("of %s are its item's, by the table's name or ARN", (operation, body) => {
      expect(keysOf(operation, { TableName: "main", ...body })).toEqual([["KEY#1"]]);
      expect(keysOf(operation, { TableName: tableName, ...body })).toEqual([["KEY#1"]]);
    });

    it("of a batch are those of all its items of a table", () => {
      const main = [{ PutRequest: { Item: item("ORG#1") } }, { DeleteRequest: { Key: item("KEY#1") } }];
      expect(keysOf("BatchWriteItem", { RequestItems: { main } })).toEqual([["ORG#1", "KEY#1"]]);
      const reads = { main: { Keys: [item("A"), item("B")] } };
      expect(keysOf("BatchGetItem", { RequestItems: reads })).toEqual([["A", "B"]]);
    });

    it("of a transaction are each item's own", () => {
      const on = { TableName: "main" };
      const TransactItems = [
        { Put: { ...on, Item: item("A") } },
        { Update: { ...on, Key: item("B") } },
        { Delete: { ...on, Key: item("C") } },
        { ConditionCheck: { ...on, Key: item("D") } },
      ];
      expect(keysOf("TransactWriteItems", { TransactItems })).toEqual([["A"], ["B"], ["C"], ["D"]]);
      expect(keysOf("TransactGetItems", { TransactItems: [{ Get: { ...on, Key: item("E") } }] })).toEqual([
        ["E"],
      ]);
    });

    const values = { ":pk": { S: "ORG#1#MACHINE#2" }, ":from": { S: "A" }, ":to": { S: "B" } };

    it.each([
      ["pk = :pk", {}],
      [":pk = pk", {}],
      ["#pk = :pk AND #sk BETWEEN :from AND :to", { "#pk": "pk", "#sk": "sk" }],
      ["#a = :from AND (#b=:pk)", { "#a": "sk", "#b": "pk" }],
      ["sk >= :from AND pk = :pk", {}],
    ])("of a query are the partition that %s names", (KeyConditionExpression, ExpressionAttributeNames) => {
      const expression = { KeyConditionExpression, ExpressionAttributeNames };
      const body = { TableName: "main", ...expression, ExpressionAttributeValues: values };
      expect(keysOf("Query", body)).toEqual([["ORG#1#MACHINE#2"]]);
      expect(keysOf("Query", { ...body, TableName: tableName })).toEqual([["ORG#1#MACHINE#2"]]);
    });

    it.each(["Scan", "DescribeTable"])("%s has none", (operation) => {
      expect(keysOf(operation, { TableName: "main" })).toEqual([[]]);
    });

    it("are not known of a query of an index or without a condition, of a table nobody made, of an item without its key", () => {
      const condition = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: values };
      expect(keysOf("Query", { TableName: "main", IndexName: "list", ...condition })).toEqual([false]);
      expect(keysOf("Query", { TableName: "main" })).toEqual([false]);
      expect(keysOf("Query", { TableName: "other", ...condition })).toEqual([false]);
      expect(keysOf("PutItem", { TableName: "other", Item: item("A") })).toEqual([false]);
      expect(keysOf("PutItem", { TableName: "main", Item: {} })).toEqual([false]);
    });
  });

  it("takes a table's ARN, also in DynamoDB Local's own region, for the table", () => {
    expect(needed("GetItem", { TableName: tableName })).toEqual([`dynamodb:GetItem ${tableName}`]);
    const local = "arn:aws:dynamodb:ddblocal:000000000000:table/main";
    expect(needed("GetItem", { TableName: local })).toEqual([`dynamodb:GetItem ${tableName}`]);
  });

  it("knows no permissions of PartiQL", () => {
    expect(needed("ExecuteStatement", { Statement: "SELECT * FROM main" })).toBeUndefined();
  });
});

describe("streamPermissions", () => {
  const stream = "arn:aws:dynamodb:ddblocal:000000000000:table/main/stream/2026-01-01T00:00:00.000";

  it("judges reading a shard on the stream that its iterator carries", () => {
    const body = { ShardIterator: `000|${stream}|c2hhcmQ=` };
    expect(streamPermissions("GetRecords", body)).toEqual([
      { action: "dynamodb:GetRecords", resource: `${tableName}/stream/2026-01-01T00:00:00.000` },
    ]);
  });

  it("knows no permission of an iterator of another form", () => {
    expect(streamPermissions("GetRecords", { ShardIterator: "opaque" })).toBeUndefined();
  });
});
