import { localArn } from "../local-account.ts";
import type { AccessRequest } from "../policy.ts";

export type PartitionKeyOf = (tableName: string) => string | undefined;

type Body = Readonly<Record<string, unknown>>;

const transactionActions = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
} as const;

const tableless = new Set(["ListTables", "DescribeLimits", "DescribeEndpoints"]);

/**
 * Returns undefined for an operation whose permissions are not known here (PartiQL, backups, imports).
 *
 * A transaction needs the permission of each of its items and none of its own; a batch needs its own, once for
 * each table; a query or scan of an index is judged on the index alone. `dynamodb:LeadingKeys` is not known of
 * an index.
 *
 * Sources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function dynamoDbPermissions(
  operation: string,
  body: Body,
  partitionKeyOf: PartitionKeyOf = () => undefined,
): readonly AccessRequest[] | undefined {
  const context = callContext(body);
  const onTable = (action: string, table: unknown, enclosing?: string): AccessRequest => ({
    action: `dynamodb:${action}`,
    resource: tableArn(table),
    context: { ...context, "dynamodb:EnclosingOperation": enclosing },
  });
  const withKeys = (whole: AccessRequest, keys: readonly string[] | undefined): AccessRequest =>
    keys ? { ...whole, context: { ...whole.context, "dynamodb:LeadingKeys": keys } } : whole;
  const onItems = (whole: AccessRequest, table: unknown, items: readonly unknown[]): AccessRequest =>
    withKeys(whole, leadingKeys(items, partitionKeyOf(tableName(table))));
  if (operation === "TransactWriteItems" || operation === "TransactGetItems") {
    return transactionEntries(body).map(({ kind, request }) => {
      const action = transactionActions[kind as keyof typeof transactionActions];
      const whole = onTable(action ?? `Unknown${kind}`, request.TableName, operation);
      return onItems(whole, request.TableName, [request.Item ?? request.Key]);
    });
  }
  if (operation === "BatchGetItem" || operation === "BatchWriteItem") {
    return Object.entries(record(body.RequestItems)).map(([table, requests]) =>
      onItems(onTable(operation, table), table, batchItems(requests)),
    );
  }
  if (operation === "Query" || operation === "Scan") {
    const whole = onTable(operation, body.TableName);
    const index = body.IndexName;
    if (typeof index === "string") return [{ ...whole, resource: `${whole.resource}/index/${index}` }];
    if (operation === "Scan") return [withKeys(whole, [])];
    const partition = queriedPartition(body, partitionKeyOf(tableName(body.TableName)));
    return [withKeys(whole, partition === undefined ? undefined : [partition])];
  }
  if (tableless.has(operation)) return [withKeys(onTable(operation, "*"), [])];
  const resource = body.TableName ?? body.ResourceArn;
  if (typeof resource !== "string") return undefined;
  const item = body.Item ?? body.Key;
  const whole = onTable(operation, resource);
  return [item === undefined ? withKeys(whole, []) : onItems(whole, resource, [item])];
}

export function streamPermissions(operation: string, body: Body): readonly AccessRequest[] | undefined {
  const action = `dynamodb:${operation}`;
  if (operation === "ListStreams") {
    const table = body.TableName;
    return [{ action, resource: `${tableArn(table ?? "*")}/stream/*` }];
  }
  // An iterator of DynamoDB Local contains the stream's ARN between bars; GetRecords sends nothing else.
  const inIterator = String(body.ShardIterator ?? "").split("|");
  const named = body.StreamArn ?? inIterator.find((part) => part.startsWith("arn:"));
  return typeof named === "string" ? [{ action, resource: accountArn(named) }] : undefined;
}

function callContext(body: Body) {
  return {
    "dynamodb:Select": text(body.Select),
    "dynamodb:ReturnValues": text(body.ReturnValues),
    "dynamodb:ReturnConsumedCapacity": text(body.ReturnConsumedCapacity),
  };
}

function transactionEntries(body: Body): readonly { readonly kind: string; readonly request: Body }[] {
  const items: unknown = body.TransactItems;
  return (Array.isArray(items) ? items : []).flatMap((item: unknown) =>
    Object.entries(record(item)).map(([kind, request]) => ({ kind, request: record(request) })),
  );
}

function batchItems(requests: unknown): readonly unknown[] {
  if (!Array.isArray(requests)) {
    const keys: unknown = record(requests).Keys;
    return Array.isArray(keys) ? keys : [];
  }
  return requests.map((request: unknown) => {
    const { PutRequest, DeleteRequest } = record(request);
    return record(PutRequest).Item ?? record(DeleteRequest).Key;
  });
}

/** Undefined means unknown: an item does not show its key. */
function leadingKeys(
  items: readonly unknown[],
  partitionKey: string | undefined,
): readonly string[] | undefined {
  if (partitionKey === undefined) return undefined;
  const keys = items.map((item) => {
    const { S, N, B } = record(record(item)[partitionKey]);
    return text(S ?? N ?? B);
  });
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function tableName(table: unknown): string {
  const name = text(table) ?? "";
  return name.startsWith("arn:") ? name.slice(name.indexOf(":table/") + ":table/".length) : name;
}

function tableArn(table: unknown): string {
  const name = typeof table === "string" ? table : "";
  if (name.startsWith("arn:")) return accountArn(name);
  return localArn("dynamodb", `table/${name}`);
}

/** DynamoDB Local's ARNs have a region of its own, which no policy names. */
function accountArn(arn: string): string {
  return arn.replace(/^arn:aws:dynamodb:ddblocal:\d{12}:/, localArn("dynamodb", ""));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function record(value: unknown): Body {
  return typeof value === "object" && value !== null ? (value as Body) : {};
}

const equality = /([#:]?[\w.-]+)\s*=\s*([#:]?[\w.-]+)/g;

/**
 * Returns undefined when the partition cannot be read from the key condition.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
 */
function queriedPartition(body: Body, partitionKey: string | undefined): string | undefined {
  const { KeyConditionExpression: expression } = body;
  if (partitionKey === undefined || typeof expression !== "string") return undefined;
  const names = record(body.ExpressionAttributeNames);
  const values = record(body.ExpressionAttributeValues);
  for (const [, left = "", right = ""] of expression.matchAll(equality)) {
    const [name, value] = left.startsWith(":") ? [right, left] : [left, right];
    if ((name.startsWith("#") ? names[name] : name) !== partitionKey) continue;
    const { S, N, B } = record(values[value]);
    const key = S ?? N ?? B;
    return typeof key === "string" ? key : undefined;
  }
  return undefined;
}
