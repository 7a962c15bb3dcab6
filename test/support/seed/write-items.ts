import { BatchWriteItemCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import { type Item, type Key, toAttributes } from "../../../shared/storage/table/item.ts";
import type { TestTable } from "../table.ts";

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchItemsMax = 25;
const writers = 4;

export async function writeItems(
  { client, tableName }: TestTable,
  items: Iterable<Item & Key>,
): Promise<void> {
  const batches = batchesOf(items);
  const write = async () => {
    for (const batch of batches) {
      let waiting: WriteRequest[] = batch.map((item) => ({ PutRequest: { Item: toAttributes(item) } }));
      while (waiting.length > 0) {
        const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: waiting } });
        const { UnprocessedItems } = await client.send(command);
        waiting = UnprocessedItems?.[tableName] ?? [];
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

function* batchesOf(items: Iterable<Item & Key>): Generator<readonly (Item & Key)[]> {
  let batch: (Item & Key)[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchItemsMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
