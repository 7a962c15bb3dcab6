import { describe, expect, it } from "vitest";
import * as z from "zod";
import { lazily } from "../../../infra/bundle/schemas/lazily.ts";
import { withLazySchemas } from "../../../infra/bundle/schemas/lazy-schemas.ts";

describe("withLazySchemas", () => {
  it("wraps each schema of a module, to its end, and nothing else", async () => {
    const source = [
      'import * as z from "zod";',
      "const Short = z.string().min(1);",
      "export const Body = z",
      "  .strictObject({ name: Short })",
      "  .superRefine((body) => {",
      "    const { name } = body;",
      "",
      "    refuse(name);",
      "  });",
      "",
      "/** A number. */",
      "const namesMax = 3;",
      "const fields = {",
      "  name: Short.optional(),",
      "};",
      "const limits = {",
      "  names: namesMax,",
      "};",
      "export const Longer = Body.extend({ other: Short });",
      "export function refuse(name: string): void {",
      "  throw new Error(name);",
      "}",
    ].join("\n");
    const lines = (await withLazySchemas(source)).split("\n");
    expect(lines.slice(1)).toEqual([
      "const Short = /* @__PURE__ */ lazily(() => (z.string().min(1)));",
      "export const Body = /* @__PURE__ */ lazily(() => (z",
      "  .strictObject({ name: Short })",
      "  .superRefine((body) => {",
      "    const { name } = body;",
      "",
      "    refuse(name);",
      "  })));",
      "",
      "/** A number. */",
      "const namesMax = 3;",
      "const fields = /* @__PURE__ */ lazily(() => ({",
      "  name: Short.optional(),",
      "}));",
      "const limits = {",
      "  names: namesMax,",
      "};",
      "export const Longer = /* @__PURE__ */ lazily(() => (Body.extend({ other: Short })));",
      "export function refuse(name: string): void {",
      "  throw new Error(name);",
      "}",
    ]);
  });

  it("wraps the schemas of an assistant's tool, each for itself", async () => {
    const source = [
      'import * as z from "zod";',
      "export const tools = defineTools({",
      '  name: "look",',
      "  input: z.strictObject({",
      "    id: z.string(),",
      "  }),",
      "  output: z.object({ text: z.string() }),",
      "});",
    ].join("\n");
    const lines = (await withLazySchemas(source)).split("\n");
    expect(lines.slice(1)).toEqual([
      "export const tools = defineTools({",
      '  name: "look",',
      "  input: /* @__PURE__ */ lazily(() => (z.strictObject({",
      "    id: z.string(),",
      "  }))),",
      "  output: /* @__PURE__ */ lazily(() => (z.object({ text: z.string() }))),",
      "});",
    ]);
  });

  it("leaves a module alone whose layout it cannot follow", async () => {
    const source = 'import * as z from "zod";\nconst A = z.object({\nb: z.string(), }); const c = 1;\n';
    expect(await withLazySchemas(source)).toBe(source);
  });
});

describe("lazily", () => {
  it("makes the schema once, when it is first used", () => {
    let made = 0;
    const Name = lazily(() => {
      made += 1;
      return z.string().min(2);
    });
    expect(made).toBe(0);
    expect([Name.safeParse("ab").success, Name.safeParse("a").success]).toEqual([true, false]);
    expect(made).toBe(1);
  });

  it("stands in for the schema in every other schema", () => {
    const Name = lazily(() => z.string().min(2));
    const Left = lazily(() => z.object({ type: z.literal("left"), name: Name.optional() }));
    const Right = lazily(() => Left.extend({ type: z.literal("right"), names: z.array(Name).max(1) }));
    const Either = lazily(() => z.discriminatedUnion("type", [Left, Right.omit({ name: true })]));
    expect(Either.parse({ type: "left" })).toEqual({ type: "left" });
    expect(Either.safeParse({ type: "right", names: ["a"] }).error?.issues[0]?.path).toEqual(["names", 0]);
    expect(Name instanceof z.ZodString).toBe(true);
    const fields = lazily(() => ({ name: Name, other: Name.optional() }));
    const Spread = lazily(() => z.strictObject({ ...fields, name: Name.nullable() }));
    expect(Spread.parse({ name: null })).toEqual({ name: null });
    expect(Object.keys(fields)).toEqual(["name", "other"]);
    expect(Object.keys(Right.shape)).toEqual(["type", "name", "names"]);
  });
});
