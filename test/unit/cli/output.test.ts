import { describe, expect, it } from "vitest";
import * as z from "zod";
import { columnsFor, columnsOf } from "../../../infra/cli/output/columns.ts";
import { show } from "../../../infra/cli/output/show.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { memoryTerminal } from "../../support/cli/memory-terminal.ts";

const operations: readonly Operation[] = allOperations;

function shown(body: unknown, options: Parameters<typeof memoryTerminal>[0] = {}): string {
  const terminal = memoryTerminal(options);
  show({ terminal, form: "table" }, body);
  return terminal.shown();
}

describe("a table's columns", () => {
  it.each(Object.entries(columnsOf))("of %s are fields of the contract", (id, columns) => {
    const found = operations.find((operation) => operation.id === id);
    const schema = z.toJSONSchema(found?.responses[200]?.schema ?? z.never(), {
      io: "output",
      unrepresentable: "any",
    });
    const { items } = (schema.properties?.items ?? schema) as {
      readonly items?: z.core.JSONSchema.JSONSchema;
    };
    expect(Object.keys(items?.properties ?? {})).toEqual(expect.arrayContaining([...columns]));
  });

  it("are without a list of its own the single values that its items have, without the organization", () => {
    const item = { id: "1", organization_id: "o", name: "a", empty: null, parts: { a: 1 }, count: 2 };
    expect(columnsFor("other", [item])).toEqual(["id", "name", "count"]);
  });
});

describe("values", () => {
  const nowMs = Date.UTC(2026, 10, 27, 12);
  const at = "2026-11-27T11:00:00.000Z";

  it("of a list have times as distances on a terminal, and as they are in a pipe", () => {
    expect(shown([{ id: "1", created_at: at }], { columns: 80, nowMs })).toBe("ID  CREATED\n1   1 h ago\n");
    expect(shown([{ id: "1", created_at: at }], { nowMs })).toBe(`ID  CREATED\n1   ${at}\n`);
  });

  it("of one thing are below each other, further lines of a text below its first", () => {
    expect(
      shown({ id: "1", main_prompt: "Open\nthe\u001b shop", pools: [], tags: ["a", "b"], held: null }),
    ).toBe(
      "id           1\nmain_prompt  Open\n             the\\u{1b} shop\npools        -\ntags         a, b\nheld         -\n",
    );
  });

  it("are bold only where there are colours", () => {
    expect(shown({ id: "1" }, { hasColour: true })).toBe("\u001b[1mid\u001b[22m  1\n");
  });
});
