import type { AccessRequest } from "../policy.ts";

/** Account and region that ARNs are made with. */
export interface ArnScope {
  readonly accountId: string;
  readonly region: string;
}

type Body = Readonly<Record<string, unknown>>;

const TRANSACTION_ACTIONS = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
} as const;

/** Operations that name no table, judged on every table of the account. */
const TABLELESS = new Set(["ListTables", "DescribeLimits", "DescribeEndpoints"]);

/**
 * Every permission that a DynamoDB or DynamoDB Streams call needs; undefined for an operation whose permissions
 * are not known here (PartiQL, backups, imports).
 *
 * A transaction needs the permission of each of its items and none of its own; a batch needs its own, once for
 * each table; a query or scan of an index is judged on the index alone.
 *
 * Source: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export function dynamoDbPermissions(
  operation: string,
  body: Body,
  scope: ArnScope,
): readonly AccessRequest[] | undefined {
  const context = callContext(body);
  const onTable = (action: string, table: unknown, enclosing?: string): AccessRequest => ({
    action: `dynamodb:${action}`,
    resource: tableArn(table, scope),
    context: { ...context, "dynamodb:EnclosingOperation": enclosing },
  });
  if (operation === "TransactWriteItems") {
    return transactionEntries(body).map(({ kind, request }) => {
      const action = TRANSACTION_ACTIONS[kind as keyof typeof TRANSACTION_ACTIONS];
      return onTable(action ?? `Unknown${kind}`, request.TableName, operation);
    });
  }
  if (operation === "TransactGetItems") {
    return transactionEntries(body).map(({ request }) => onTable("GetItem", request.TableName, operation));
  }
  if (operation === "BatchGetItem" || operation === "BatchWriteItem") {
    return Object.keys(record(body.RequestItems)).map((table) => onTable(operation, table));
  }
  if (operation === "Query" || operation === "Scan") {
    const whole = onTable(operation, body.TableName);
    const index = body.IndexName;
    return [typeof index === "string" ? { ...whole, resource: `${whole.resource}/index/${index}` } : whole];
  }
  if (TABLELESS.has(operation)) return [onTable(operation, "*")];
  const resource = body.TableName ?? body.ResourceArn;
  return typeof resource === "string" ? [onTable(operation, resource)] : undefined;
}

/** The permission that a call of DynamoDB Streams needs; undefined for one that names no stream. */
export function streamPermissions(
  operation: string,
  body: Body,
  scope: ArnScope,
): readonly AccessRequest[] | undefined {
  const action = `dynamodb:${operation}`;
  if (operation === "ListStreams") {
    const table = body.TableName;
    return [{ action, resource: `${tableArn(table ?? "*", scope)}/stream/*` }];
  }
  // An iterator of DynamoDB Local carries the stream's ARN between bars; GetRecords sends nothing else.
  const inIterator = String(body.ShardIterator ?? "").split("|");
  const named = body.StreamArn ?? inIterator.find((part) => part.startsWith("arn:"));
  return typeof named === "string" ? [{ action, resource: accountArn(named, scope) }] : undefined;
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

function tableArn(table: unknown, scope: ArnScope): string {
  const name = typeof table === "string" ? table : "";
  if (name.startsWith("arn:")) return accountArn(name, scope);
  return `arn:aws:dynamodb:${scope.region}:${scope.accountId}:table/${name}`;
}

/** DynamoDB Local makes its ARNs in a region of its own, which no policy names. */
function accountArn(arn: string, scope: ArnScope): string {
  return arn.replace(
    /^arn:aws:dynamodb:ddblocal:\d{12}:/,
    `arn:aws:dynamodb:${scope.region}:${scope.accountId}:`,
  );
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function record(value: unknown): Body {
  return typeof value === "object" && value !== null ? (value as Body) : {};
}
