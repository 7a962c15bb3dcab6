import { describe, expect, it } from "vitest";
import {
  newRow,
  rowsOf,
  schemaOf,
  withField,
} from "../../../../functions/console/page/workflows/edit/schema-rows.ts";

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  additionalProperties: false,
  properties: {
    customer: { type: "string", description: "Who", maxLength: 80 },
    count: { type: "integer" },
    size: { type: "string", enum: ["S", "M"] },
    lines: { type: "array", items: { type: "string" } },
    odd: { type: "string", enum: ["a, b"] },
  },
  required: ["customer"],
};

describe("a schema as a list of fields", () => {
  it("is the same schema again, with all that the form does not show", () => {
    expect(schemaOf(rowsOf(schema) ?? [], schema)).toEqual(schema);
  });

  it("is not one where it is more than fields", () => {
    expect(rowsOf({ anyOf: [] })).toBeUndefined();
    expect(rowsOf({ type: "array" })).toBeUndefined();
    expect(rowsOf({ type: "object", properties: { a: true } })).toBeUndefined();
    expect(rowsOf({ type: "object", required: ["a"] })).toBeUndefined();
  });

  it("leaves lines without a name out, and is none without lines", () => {
    expect(schemaOf([newRow], null)).toBeNull();
    expect(schemaOf([{ ...newRow, name: " user " }, newRow], null)).toEqual({
      type: "object",
      properties: { user: { type: "string" } },
      required: ["user"],
    });
  });

  it("gets an input that the prompt names", () => {
    expect(withField(withField(null, "a"), "b")).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
    });
  });
});
