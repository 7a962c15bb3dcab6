import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type Attributes = Readonly<Record<string, AttributeValue>>;

export class ValidationException extends Error {
  override readonly name = "ValidationException";
}

export function typeOf(value: AttributeValue): string {
  const [type] = Object.keys(value);
  if (type === undefined) throw new ValidationException("an attribute value of no type");
  return type;
}

/** Compares the bytes of UTF-8, whose order differs from JavaScript's where there are surrogates. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (/[\ud800-\udfff]/.test(left + right)) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}

/** Returns undefined when the values have no order: their types differ, or the type has none. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined && right.S !== undefined) return compareTexts(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return Number(left.N) - Number(right.N);
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(left.B, right.B);
  return undefined;
}

export function areEqual(left: AttributeValue, right: AttributeValue): boolean {
  const order = compareValues(left, right);
  if (order !== undefined) return order === 0;
  if (typeOf(left) !== typeOf(right)) return false;
  if (left.L !== undefined && right.L !== undefined) return areAll(left.L, right.L);
  if (left.M !== undefined && right.M !== undefined) return areSame(left.M, right.M);
  const [some, others] = [elementsOf(left), elementsOf(right)];
  if (some !== undefined && others !== undefined) {
    return some.length === others.length && some.every((one) => others.some((other) => areEqual(one, other)));
  }
  return left.BOOL === right.BOOL;
}

export function areSame(left: Attributes, right: Attributes): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const [one, other] = [left[name], right[name]];
    return one !== undefined && other !== undefined && areEqual(one, other);
  });
}

function areAll(left: readonly AttributeValue[], right: readonly AttributeValue[]): boolean {
  return (
    left.length === right.length &&
    left.every((one, place) => {
      const other = right[place];
      return other !== undefined && areEqual(one, other);
    })
  );
}

export function elementsOf(value: AttributeValue): readonly AttributeValue[] | undefined {
  if (value.SS !== undefined) return value.SS.map((S) => ({ S }));
  if (value.NS !== undefined) return value.NS.map((N) => ({ N }));
  if (value.BS !== undefined) return value.BS.map((B) => ({ B }));
  return undefined;
}

export function setOf(like: AttributeValue, elements: readonly AttributeValue[]): AttributeValue {
  if (like.SS !== undefined) return { SS: elements.map(({ S }) => S ?? "") };
  if (like.NS !== undefined) return { NS: elements.map(({ N }) => N ?? "") };
  return { BS: elements.map(({ B }) => B ?? new Uint8Array()) };
}

/** The result of `size(…)`; undefined for a type that has none. */
export function sizeOf(value: AttributeValue): number | undefined {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.length;
  if (value.L !== undefined) return value.L.length;
  if (value.M !== undefined) return Object.keys(value.M).length;
  return elementsOf(value)?.length;
}

/**
 * Approximates DynamoDB's count of an item's bytes.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Attributes): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.B !== undefined) return value.B.length;
  if (value.L !== undefined) return value.L.reduce((sum, one) => sum + 1 + valueBytes(one), 3);
  if (value.M !== undefined) return 3 + itemBytes(value.M) + Object.keys(value.M).length;
  return elementsOf(value)?.reduce((sum, one) => sum + valueBytes(one), 0) ?? 1;
}
