import { expect, it } from "vitest";
import { withEmptyMaps } from "../../../infra/local/events/empty-maps.ts";

it("an empty map of DynamoDB Local's stream, at any depth, becomes what DynamoDB writes; all else stays", () => {
  const image = {
    steps: {},
    deep: { M: { a: {}, b: { L: [{}, { S: "" }] } } },
    name: { S: "x" },
    no: { NULL: true },
  };
  const record = { eventID: "1", dynamodb: { Keys: { pk: { S: "p" } }, NewImage: image, OldImage: image } };
  const repaired = {
    steps: { M: {} },
    deep: { M: { a: { M: {} }, b: { L: [{ M: {} }, { S: "" }] } } },
    name: { S: "x" },
    no: { NULL: true },
  };
  expect(withEmptyMaps(record)).toEqual({
    eventID: "1",
    dynamodb: { Keys: { pk: { S: "p" } }, NewImage: repaired, OldImage: repaired },
  });
  const removal = { eventName: "REMOVE", dynamodb: { Keys: { pk: { S: "p" } }, OldImage: { steps: {} } } };
  expect(withEmptyMaps(removal)).toEqual({
    eventName: "REMOVE",
    dynamodb: { Keys: { pk: { S: "p" } }, OldImage: { steps: { M: {} } } },
  });
});
