type Body = Readonly<Record<string, unknown>>;

const equality = /([#:]?[\w.-]+)\s*=\s*([#:]?[\w.-]+)/g;

/**
 * Returns undefined when the partition cannot be read from the key condition.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
 */
export function queriedPartition(body: Body, partitionKey: string | undefined): string | undefined {
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

function record(value: unknown): Body {
  return typeof value === "object" && value !== null ? (value as Body) : {};
}
