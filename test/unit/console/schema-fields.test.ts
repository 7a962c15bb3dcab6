import { describe, expect, it } from "vitest";
import { fieldsOf, valuesOf } from "../../../functions/console/page/parts/form/schema-fields.ts";

const schema = {
  type: "object",
  required: ["name", "amount", "rush"],
  properties: {
    name: { type: "string", title: "Name", description: "Of the customer." },
    notes: { type: "string", maxLength: 5_000 },
    amount: { type: "number" },
    count: { type: ["integer", "null"], default: 3 },
    rush: { type: "boolean", default: false },
    size: { enum: ["S", "M", 3] },
    lines: { type: "array", items: { type: "string" } },
  },
} as const;

describe("a form from a JSON Schema", () => {
  const fields = fieldsOf(schema);

  it("has a field of the right kind for each property, in its order", () => {
    expect(
      fields.map(({ name, label, kind, isRequired, text }) => [name, label, kind, isRequired, text]),
    ).toEqual([
      ["name", "Name", "text", true, ""],
      ["notes", "notes", "lines", false, ""],
      ["amount", "amount", "number", true, ""],
      ["count", "count", "integer", false, "3"],
      ["rush", "rush", "boolean", true, "false"],
      ["size", "size", "choice", false, ""],
      ["lines", "lines", "json", false, ""],
    ]);
    expect(fieldsOf({ type: "object" })).toEqual([]);
  });

  it("gives values of the right types, and leaves out what is empty", () => {
    const texts = { name: "Ada", amount: "1.5", count: "4", rush: "true", size: "3", lines: '["a"]' };
    expect(valuesOf(fields, texts)).toEqual({
      values: { name: "Ada", amount: 1.5, count: 4, rush: true, size: 3, lines: ["a"] },
      problems: {},
    });
  });

  it("gives the defaults that it shows", () => {
    expect(valuesOf(fields, { name: "Ada", amount: "2" }).values).toEqual({
      name: "Ada",
      amount: 2,
      count: 3,
      rush: false,
    });
    expect(valuesOf(fields, { name: "Ada", amount: "2", count: "", rush: "" })).toEqual({
      values: { name: "Ada", amount: 2 },
      problems: { rush: "rush is required." },
    });
  });

  it("says what is missing or wrong, by field", () => {
    const { problems } = valuesOf(fields, { amount: "x", count: "1.5", lines: "[", rush: "false" });
    expect(problems).toEqual({
      name: "Name is required.",
      amount: "amount must be a number.",
      count: "count must be a whole number.",
      lines: "lines must be JSON.",
    });
  });
});
