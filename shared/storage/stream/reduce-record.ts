import type { TableStreamRecord } from "./stream-changes.ts";

type Image = Readonly<Record<string, unknown>>;

const always: readonly string[] = ["pk", "sk", "kind", "organization_id", "id", "revision"];

/** A queue must not contain customers' data, so only the object's key of a heavy field is kept. */
export function reduceRecord(record: TableStreamRecord, attributes: readonly string[]): TableStreamRecord {
  const kept = new Set([...always, ...attributes]);
  const { OldImage: before, NewImage: after, ...rest } = record.dynamodb ?? {};
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    ...(record.userIdentity !== undefined && { userIdentity: record.userIdentity }),
    dynamodb: {
      ...rest,
      ...(before && { OldImage: reduced(before, kept) }),
      ...(after && { NewImage: reduced(after, kept) }),
    },
  };
}

function reduced(image: Image, kept: ReadonlySet<string>): Image {
  const left = Object.entries(image).filter(([name]) => kept.has(name));
  return Object.fromEntries(left.map(([name, value]) => [name, withoutText(value)]));
}

function withoutText(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("M" in value)) return value;
  const { key, bytes, head, json } = value.M as Image;
  if (json !== undefined) return { M: {} };
  return head === undefined ? value : { M: { key, bytes, head: { S: "" } } };
}
