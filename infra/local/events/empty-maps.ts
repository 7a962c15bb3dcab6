import { asObject, isObject, type Json, type JsonObject } from "../template/json.ts";

/** DynamoDB Local writes an empty map as `{}`, which is not an attribute value and which no function can read. */
export function withEmptyMaps(record: JsonObject): JsonObject {
  const { NewImage, OldImage, ...rest } = asObject(record.dynamodb);
  return {
    ...record,
    dynamodb: {
      ...rest,
      ...(isObject(NewImage) && { NewImage: attributes(NewImage) }),
      ...(isObject(OldImage) && { OldImage: attributes(OldImage) }),
    },
  };
}

function attributes(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, attributeValue(value)]));
}

function attributeValue(value: Json): Json {
  if (!isObject(value)) return value;
  if (Object.keys(value).length === 0) return { M: {} };
  if (isObject(value.M)) return { M: attributes(value.M) };
  if (Array.isArray(value.L)) return { L: value.L.map(attributeValue) };
  return value;
}
