import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { makePatternsPortable } from "../../../infra/openapi/portable-patterns.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { unprintable } from "../../../shared/vocabulary/unprintable.ts";

function patternsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "pattern" && typeof inner === "string" ? [inner] : patternsIn(inner),
  );
}

describe("a pattern of the document", () => {
  it("compiles in JavaScript, and has nothing that Python, Go or Java does not know or reads differently", async () => {
    const patterns = patternsIn(await openApiDocument(allOperations));
    expect(patterns.length).toBeGreaterThan(50);
    for (const pattern of patterns) {
      expect(() => new RegExp(pattern, "u")).not.toThrow();
      // Classes of Unicode, escapes of four digits, look-around, named and atomic groups, back references.
      expect(pattern).not.toMatch(/\\p|\\u|\(\?[^:]|\\[1-9]|[*+?}]\+/);
    }
  });

  it("says in words what it no longer says itself", () => {
    const schema = {
      description: "A name.",
      pattern: `^(?!\\.{1,2}$)[^/${unprintable}]+$`,
    };
    makePatternsPortable({ name: schema });
    expect(schema).toEqual({
      description:
        "A name. The text is without line separators and marks of direction, neither `.` nor `..`.",
      pattern: "^[^/\\x00-\\x1f\\x7f-\\x9f]+$",
    });
  });
});

it("what the service sends has a tag and an id of its own, so that generators keep the endpoints' operations", async () => {
  const { webhooks = {}, tags = [] } = await openApiDocument(allOperations);
  const sent = Object.values(webhooks).map(({ post }) => post);
  const ids = sent.map((operation) => operation?.operationId);
  expect(new Set(ids).size).toBe(sent.length);
  for (const id of ids) expect(id).toMatch(/^send[A-Z][A-Za-z]+$/);
  for (const operation of sent) expect(operation?.tags).toEqual(["Webhook events"]);
  for (const operation of sent) expect(operation).toMatchObject({ "x-internal": true });
  expect(allOperations.filter(({ tag }) => tag === "Webhook events")).toEqual([]);
  expect(tags.map(({ name }) => name)).toContain("Webhook events");
});
