import * as z from "zod";
import type { CreateDocumentOptions } from "zod-openapi";

/** These formats say in a word what zod's patterns say in ten lines. */
const formats: ReadonlySet<unknown> = new Set(["uuid", "date-time", "uri"]);

const texts: ReadonlySet<string> = new Set(["description", "examples", "default"]);

/** `wire` describes how a value is written where that is not its type. */
export const describeSchema: NonNullable<CreateDocumentOptions["override"]> = ({
  zodSchema,
  jsonSchema,
  io,
}) => {
  const schema = jsonSchema as Record<string, unknown>;
  const { def } = zodSchema._zod;
  // These bounds only mean "any integer that a double holds".
  if (def.type === "number") {
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  }
  const meta = z.globalRegistry.get(zodSchema as z.core.$ZodType);
  const wire = meta?.wire as Record<string, unknown> | undefined;
  if (wire !== undefined) {
    for (const key of Object.keys(schema)) {
      if (!texts.has(key)) delete schema[key];
    }
    Object.assign(schema, wire);
  }
  delete schema.wire;
  // zod omits these where input and output differ.
  if (meta?.examples !== undefined) schema.examples ??= meta.examples;
  if (def.type === "default") schema.default ??= (def as z.core.$ZodDefaultDef).defaultValue;
  if (formats.has(schema.format)) delete schema.pattern;
  if (schema.contentEncoding === "base64") {
    if (io === "output") delete schema.pattern;
    delete schema.format;
  }
  // Responses may get more fields.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
};
