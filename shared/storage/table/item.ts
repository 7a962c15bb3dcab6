import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";

export type Item = Readonly<Record<string, unknown>>;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export function keyOfItem({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

/** Undefined attributes are omitted; null stays null. */
export function toAttributes(item: Item): Record<string, AttributeValue> {
  return marshall(item, { removeUndefinedValues: true });
}

export function fromAttributes(attributes: Record<string, AttributeValue>): Item {
  return unmarshall(attributes);
}
