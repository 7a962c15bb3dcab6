import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { type Expressions, expressions, type Write } from "./expression.ts";
import { toAttributes } from "./item.ts";

function writeInput(TableName: string, written: Expressions) {
  const { updateExpression, conditionExpression, names, values } = written;
  return {
    TableName,
    ...(updateExpression !== undefined && { UpdateExpression: updateExpression }),
    ...(conditionExpression !== undefined && {
      ConditionExpression: conditionExpression,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: toAttributes(values) }),
  };
}

export function transactItem(tableName: string, write: Write): TransactWriteItem {
  const change = write.kind === "update" ? write.change : undefined;
  const written = expressions(change, write.condition);
  const input = writeInput(tableName, written);
  if (write.kind === "put") return { Put: { ...input, Item: toAttributes(write.item) } };
  const keyed = { ...input, Key: toAttributes({ ...write.key }) };
  if (write.kind === "delete") return { Delete: keyed };
  if (write.kind === "update") {
    return { Update: { ...keyed, UpdateExpression: written.updateExpression } };
  }
  return { ConditionCheck: { ...keyed, ConditionExpression: written.conditionExpression } };
}
