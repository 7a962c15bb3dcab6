import { describe, expect, it } from "vitest";
import { bounds, listedValues, typeWords } from "../../../infra/docs-pages/schema/type-words.ts";

const name = { $ref: "#/components/schemas/Run" };
const nothing = { type: "null" };

describe("a schema in words", () => {
  it.each([
    [{ type: "string", format: "uuid" }, "string (uuid)"],
    [{ type: "string", contentEncoding: "base64" }, "string (base64)"],
    [{ anyOf: [{ type: "integer" }, nothing] }, "integer or null"],
    [{ type: "array", items: name }, 'array of <a href="/docs/schemas/Run">Run</a>'],
    [{ type: "object", additionalProperties: { type: "string" } }, "object of string"],
    [{ type: "object", additionalProperties: true }, "object"],
    [{ enum: ["a"] }, "string"],
    [{ description: "Anything." }, "any value"],
  ])("%j is %s", async (schema, words) => {
    expect(String(await typeWords(schema))).toBe(words);
  });

  it.each([
    [{ minLength: 1, maxLength: 255 }, ["1 to 255 characters"]],
    [{ minLength: 0, maxLength: 1 }, ["at most 1 character"]],
    [{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, ["at least 0"]],
    [{ anyOf: [{ minimum: -5, maximum: 1_000 }, nothing] }, ["-5 to 1,000"]],
    [
      { type: "array", minItems: 2, maxItems: 2, items: { maxLength: 3 } },
      ["exactly 2 items", "each at most 3 characters"],
    ],
    [{ pattern: "^a$", uniqueItems: true }, ["no item twice", "matches `^a$`"]],
    [{ pattern: "^a$", format: "uuid" }, []],
  ])("the bounds of %j are %j", (schema, words) => {
    expect(bounds(schema)).toEqual(words);
  });

  it("the values are listed of a schema, of its items, and of what may be null", () => {
    expect(listedValues({ enum: ["a", "b"] })).toEqual(["a", "b"]);
    expect(listedValues({ type: "array", items: { const: 1 } })).toEqual([1]);
    expect(listedValues({ anyOf: [{ enum: ["a"] }, nothing] })).toEqual(["a"]);
    expect(listedValues({ type: "string" })).toEqual([]);
  });
});
