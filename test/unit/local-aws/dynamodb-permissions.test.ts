import { describe, expect, it } from "vitest";
import {
  dynamoDbPermissions,
  streamPermissions,
} from "../../../infra/local/aws/dynamodb/dynamodb-permissions.ts";

const scope = { accountId: "000000000000", region: "us-east-1" };
const TABLE = "arn:aws:dynamodb:us-east-1:000000000000:table/main";

function needed(operation: string, body: Record<string, unknown>) {
  return dynamoDbPermissions(operation, body, scope)?.map(({ action, resource }) => `${action} ${resource}`);
}

describe("dynamoDbPermissions", () => {
  it.each(["GetItem", "PutItem", "UpdateItem", "DeleteItem", "DescribeTable", "Scan"])(
    "judges %s on the table",
    (operation) => {
      expect(needed(operation, { TableName: "main" })).toEqual([`dynamodb:${operation} ${TABLE}`]);
    },
  );

  it.each(["Query", "Scan"])("judges %s of an index on the index alone", (operation) => {
    expect(needed(operation, { TableName: "main", IndexName: "list" })).toEqual([
      `dynamodb:${operation} ${TABLE}/index/list`,
    ]);
  });

  it("judges each item of a transaction by what it does, and the transaction by nothing else", () => {
    const on = { TableName: "main" };
    const TransactItems = [{ Put: on }, { Update: on }, { Delete: on }, { ConditionCheck: on }];
    expect(needed("TransactWriteItems", { TransactItems })).toEqual([
      `dynamodb:PutItem ${TABLE}`,
      `dynamodb:UpdateItem ${TABLE}`,
      `dynamodb:DeleteItem ${TABLE}`,
      `dynamodb:ConditionCheckItem ${TABLE}`,
    ]);
  });

  it("judges TransactGetItems as reads of each table", () => {
    const TransactItems = [{ Get: { TableName: "main" } }, { Get: { TableName: "other" } }];
    expect(needed("TransactGetItems", { TransactItems })).toEqual([
      `dynamodb:GetItem ${TABLE}`,
      "dynamodb:GetItem arn:aws:dynamodb:us-east-1:000000000000:table/other",
    ]);
  });

  it.each(["BatchGetItem", "BatchWriteItem"])("judges %s once for each table", (operation) => {
    expect(needed(operation, { RequestItems: { main: [], other: [] } })).toEqual([
      `dynamodb:${operation} ${TABLE}`,
      `dynamodb:${operation} arn:aws:dynamodb:us-east-1:000000000000:table/other`,
    ]);
  });

  it("takes a table's ARN, also in DynamoDB Local's own region, for the table", () => {
    expect(needed("GetItem", { TableName: TABLE })).toEqual([`dynamodb:GetItem ${TABLE}`]);
    const local = "arn:aws:dynamodb:ddblocal:000000000000:table/main";
    expect(needed("GetItem", { TableName: local })).toEqual([`dynamodb:GetItem ${TABLE}`]);
  });

  it("knows no permissions of PartiQL", () => {
    expect(needed("ExecuteStatement", { Statement: "SELECT * FROM main" })).toBeUndefined();
  });
});

describe("streamPermissions", () => {
  const stream = "arn:aws:dynamodb:ddblocal:000000000000:table/main/stream/2026-01-01T00:00:00.000";

  it("judges reading a shard on the stream that its iterator carries", () => {
    const body = { ShardIterator: `000|${stream}|c2hhcmQ=` };
    expect(streamPermissions("GetRecords", body, scope)).toEqual([
      { action: "dynamodb:GetRecords", resource: `${TABLE}/stream/2026-01-01T00:00:00.000` },
    ]);
  });

  it("knows no permission of an iterator of another form", () => {
    expect(streamPermissions("GetRecords", { ShardIterator: "opaque" }, scope)).toBeUndefined();
  });
});
