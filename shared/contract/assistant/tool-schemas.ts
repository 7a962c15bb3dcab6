import * as z from "zod";
import { allTools } from "./all-tools.ts";

interface ToolSchemas {
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown>;
}

/** JSON Schemas by the tool's name. `infra/bundle/contract-as-data.ts` puts the value, which is plain data, into bundles. */
export const toolSchemas: Readonly<Record<string, ToolSchemas>> = Object.fromEntries(
  allTools.map(({ name, input, output }) => [
    name,
    { input: jsonSchemaOf(input, "input"), output: jsonSchemaOf(output, "output") },
  ]),
);

interface SchemaInJson extends Record<string, unknown> {
  /** What a custom type says of itself. */
  wire?: Record<string, unknown>;
}

/** Examples would fill the context of a model; a later release may add fields to what a tool returns. */
function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output"): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      const { wire, additionalProperties } = jsonSchema as SchemaInJson;
      for (const name of ["wire", "says", "examples"]) delete jsonSchema[name];
      Object.assign(jsonSchema, wire);
      if (io === "output" && additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}
