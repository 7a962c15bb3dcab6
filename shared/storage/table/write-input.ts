import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { type Expressions, expressions, type Write } from "./expression.ts";
import { toAttributes } from "./item.ts";

function writeInput(TableName: string, written: Expressions) {
  return {
    TableName,
    ...(written.updateExpression === undefined ? {} : { UpdateExpression: written.updateExpression }),
    ...(written.conditionExpression === undefined ? {} : conditionInput(written.conditionExpression)),
    ...(Object.keys(written.names).length === 0 ? {} : { ExpressionAttributeNames: written.names }),
    ...(Object.keys(written.values).length === 0
      ? {}
      : { ExpressionAttributeValues: toAttributes(written.values) }),
  };
}

export function transactItem(tableName: string, write: Write): TransactWriteItem {
  const change = write.kind === "update" ? write.change : undefined;
  const written = expressions(change, write.condition);
  const input = writeInput(tableName, written);
  switch (write.kind) {
    case "put":
      return { Put: { ...input, Item: toAttributes(write.item) } };
    case "update":
      return {
        Update: {
          ...input,
          Key: toAttributes({ ...write.key }),
          UpdateExpression: written.updateExpression,
        },
      };
    case "delete":
      return { Delete: { ...input, Key: toAttributes({ ...write.key }) } };
    case "check":
      return {
        ConditionCheck: {
          ...input,
          Key: toAttributes({ ...write.key }),
          ConditionExpression: written.conditionExpression,
        },
      };
  }
}

function conditionInput(ConditionExpression: string) {
  return { ConditionExpression, ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const };
}
