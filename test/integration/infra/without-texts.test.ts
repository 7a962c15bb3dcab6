import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutTexts } from "../../../infra/bundle/schemas/without-texts.ts";
import { bundleFunctions } from "../../../infra/bundle.ts";
import { componentSchemas } from "../../../infra/openapi/document-parts.ts";
import { openApiDocument } from "../../../infra/openapi/openapi-document.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import type { Operation } from "../../../shared/contract/operations/operation.ts";
import { operationsOf } from "../../support/openapi/generate-request.ts";
import { valuesNear } from "../../support/openapi/values-near.ts";

const operations: readonly Operation[] = allOperations;

describe("withoutTexts", () => {
  it("removes what describes a schema, wherever it stands, and keeps the rest", async () => {
    const source = [
      "const Größe = z.int().describe(`pixels (0)`).optional();",
      "export const Body = z",
      '  .strictObject({ description: text(0, 9).meta({ examples: [".describe(1)"] }), size: Größe })',
      '  .extend({ name: example(z.string().max(9), "a").describe("Its name.") })',
      '  .describe("A body.");',
      'const known = Body.meta()?.description ?? describe("it");',
    ].join("\n");
    expect((await withoutTexts(source, "schemas")).split("\n")).toEqual([
      "const Größe = z.int().optional();",
      "export const Body = z",
      "  .strictObject({ description: text(0, 9), size: Größe })",
      "  .extend({ name: z.string().max(9) });",
      'const known = Body.meta()?.description ?? describe("it");',
    ]);
  });

  it("removes the texts of operations", async () => {
    const source =
      'const all = [{ id: "a", summary: "A", responses: { 200: { description: "Ü", schema: A } }, example: { id: 1 } }];';
    expect((await withoutTexts(source, "operations")).replace(/\s+/g, " ")).toBe(
      'const all = [{ id: "a", responses: { 200: { schema: A } }, }];',
    );
  });
});

describe("the contract in a bundle", () => {
  let folder: string;
  let text: string;
  let bundled: readonly Operation[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "das-contract-"));
    const source = join(folder, "index.ts");
    const contract = fileURLToPath(
      new URL("../../../shared/contract/operations/all-operations.ts", import.meta.url),
    );
    await writeFile(source, `export { allOperations } from ${JSON.stringify(contract)};`);
    const [bundle] = await bundleFunctions({ outDir: folder, entryPoints: { contract: source } });
    text = await readFile(bundle?.file ?? "", "utf8");
    bundled = (await import(pathToFileURL(bundle?.file ?? "").href)).allOperations;
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it("has no description and no example", async () => {
    expect(text.length).toBeGreaterThan(50_000);
    for (const { summary, description } of operations) {
      expect(text).not.toContain(summary);
      if (description !== undefined) expect(text).not.toContain(description.slice(0, 40));
    }
    const schemas = Object.values(componentSchemas(await openApiDocument(operations)));
    const said = JSON.stringify(schemas).match(/(?<="description":")(?:[^"\\]|\\.){30,}(?=")/g) ?? [];
    expect(said.length).toBeGreaterThan(500);
    for (const description of said) expect(text).not.toContain(description.slice(0, 30));
  });

  it("takes and refuses the same", async () => {
    const document = await openApiDocument(operations);
    const components = componentSchemas(document);
    const described = new Map(operationsOf(document).map((one) => [one.operationId, one]));
    for (const [at, { id, body, query, pathParameters, example }] of operations.entries()) {
      const { parameters = [], body: schema = {} } = described.get(id) ?? {};
      const same = (name: "body" | "query" | "pathParameters", values: fc.Arbitrary<unknown>) =>
        fc.assert(
          fc.property(values, (value) => {
            expect(bundled[at]?.[name]?.safeParse(value), id).toEqual(
              operations[at]?.[name]?.safeParse(value),
            );
          }),
          { seed: 20_261_124, numRuns: 30 },
        );
      const given = (place: string) =>
        fc.record(
          Object.fromEntries(
            parameters
              .filter((one) => one.in === place)
              .map((one) => [one.name, valuesNear(one.schema, { components }, undefined).map(asSent)]),
          ),
          { requiredKeys: [] },
        );
      if (body !== undefined) same("body", valuesNear(schema, { components }, example));
      if (query !== undefined) same("query", given("query"));
      if (pathParameters !== undefined) same("pathParameters", given("path"));
    }
  });
});

/** A parameter that is an object has a form of its own, `metadata[key]=value`, which is read before the schema. */
function asSent(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : String(value);
}
