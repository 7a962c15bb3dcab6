import * as z from "zod";
import type { CreateDocumentOptions } from "zod-openapi";

/** Formats that say what zod's own patterns say, in a line instead of ten. */
const formats: ReadonlySet<unknown> = new Set(["uuid", "date-time", "uri"]);

/** Words of a schema that hold however its value is written. */
const texts: ReadonlySet<string> = new Set(["description", "examples", "default"]);

/**
 * Says of a schema what a client must know: how a value is written where that is not its type (`wire`), and formats
 * instead of the expressions that check them.
 */
export const describeSchema: NonNullable<CreateDocumentOptions["override"]> = ({
  zodSchema,
  jsonSchema,
  io,
}) => {
  const schema = jsonSchema as Record<string, unknown>;
  const { def } = zodSchema._zod;
  // JSON Schema's way to say "any integer that a double holds" says nothing; of what is read from a text it does.
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
  // Left out by zod where what is given and what comes of it are not the same.
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
