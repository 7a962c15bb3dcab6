import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { type KeyKind, keyPatterns } from "../../shared/storage/table/key-patterns.ts";
import type { IndexName } from "../../shared/vocabulary/table.ts";
import type { TableGrant } from "../constructs/table-access.ts";

/** Each kind has actions of its own, so that a transaction of several shows which keys each action is judged by. */
export const probeGrant = {
  machine: ["GetItem", "BatchGetItem", "Query", "PutItem"],
  run: ["BatchGetItem", "UpdateItem"],
  queue: ["DeleteItem"],
  session: ["ConditionCheckItem"],
  indexes: ["list"],
} as const satisfies TableGrant;

const outsideKind: KeyKind = "pool";
export const outsideIndex: IndexName = "filter1";

interface Target {
  readonly tableName: string;
  /** The partition key, or the name of an index, that decides whether the call is within the grant. */
  readonly at: string;
}

export interface Form {
  readonly name: string;
  readonly granted: string;
  readonly outside: string;
  readonly send: (client: DynamoDBClient, target: Target) => Promise<unknown>;
}

type Key = Readonly<Record<"pk" | "sk", AttributeValue>>;

function partition(kind: KeyKind, id = "1"): string {
  return keyPatterns[kind].replace("*", "probe").replace("*", id);
}

function key(pk: string): Key {
  return { pk: { S: pk }, sk: { S: "PROBE" } };
}

function ofItems(name: string, granted: KeyKind, send: Form["send"]): Form {
  return { name, granted: partition(granted, "2"), outside: partition(outsideKind), send };
}

const change = {
  UpdateExpression: "SET seen = :seen",
  ExpressionAttributeValues: { ":seen": { BOOL: true } },
};

const putMachine = (TableName: string) => ({ Put: { TableName, Item: key(partition("machine")) } });

/** The forms of access to the table that the service uses; none of them needs an item to be there. */
export const forms: readonly Form[] = [
  ofItems("GetItem", "machine", (client, { tableName: TableName, at }) =>
    client.send(new GetItemCommand({ TableName, Key: key(at) })),
  ),
  ofItems("BatchGetItem of several kinds", "run", (client, { tableName, at }) => {
    const Keys = [key(partition("machine")), key(at)];
    return client.send(new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys } } }));
  }),
  ofItems("PutItem", "machine", (client, { tableName: TableName, at }) =>
    client.send(new PutItemCommand({ TableName, Item: key(at) })),
  ),
  ofItems("UpdateItem", "run", (client, { tableName: TableName, at }) =>
    client.send(new UpdateItemCommand({ TableName, Key: key(at), ...change })),
  ),
  ofItems("DeleteItem", "queue", (client, { tableName: TableName, at }) =>
    client.send(new DeleteItemCommand({ TableName, Key: key(at) })),
  ),
  ofItems("transaction of one kind", "machine", (client, { tableName: TableName, at }) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [putMachine(TableName), { Put: { TableName, Item: key(at) } }],
      }),
    ),
  ),
  ofItems("transaction of several kinds", "queue", (client, { tableName: TableName, at }) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          putMachine(TableName),
          { Update: { TableName, Key: key(partition("run")), ...change } },
          { Delete: { TableName, Key: key(at) } },
        ],
      }),
    ),
  ),
  ofItems("transaction with a condition check", "session", (client, { tableName: TableName, at }) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          putMachine(TableName),
          {
            ConditionCheck: {
              TableName,
              Key: key(at),
              ConditionExpression: "attribute_not_exists(seen)",
            },
          },
        ],
      }),
    ),
  ),
  ofItems("Query of the table", "machine", (client, { tableName: TableName, at }) =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": { S: at } },
      }),
    ),
  ),
  {
    name: "Query of an index",
    granted: probeGrant.indexes[0],
    outside: outsideIndex,
    send: (client, { tableName: TableName, at: IndexName }) =>
      client.send(
        new QueryCommand({
          TableName,
          IndexName,
          KeyConditionExpression: "#pk = :pk",
          ExpressionAttributeNames: { "#pk": `${IndexName}_pk` },
          ExpressionAttributeValues: { ":pk": { S: "probe" } },
        }),
      ),
  },
];
