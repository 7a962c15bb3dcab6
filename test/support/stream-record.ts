import type { TableStreamRecord } from "../../shared/storage/stream/stream-changes.ts";
import { type Item, toAttributes } from "../../shared/storage/table/item.ts";

export function streamRecord(
  before: Item | undefined,
  after: Item | undefined,
  eventID = "7de3041dd709b024af6f29e4fa13d34c",
): TableStreamRecord {
  const eventName = before === undefined ? "INSERT" : after === undefined ? "REMOVE" : "MODIFY";
  const images = {
    ...(before && { OldImage: toAttributes(before) }),
    ...(after && { NewImage: toAttributes(after) }),
  };
  return {
    eventID,
    eventName,
    dynamodb: { SequenceNumber: "100", ApproximateCreationDateTime: 1_768_478_400, ...images },
  };
}
