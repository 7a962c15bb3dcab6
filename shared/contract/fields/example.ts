import type * as z from "zod";

/** The documents show the value; bundles leave it out (`infra/bundle/schemas/without-texts.ts`). */
export function example<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema> | z.output<Schema>,
): Schema {
  return schema.meta({ examples: [value] });
}
