import * as z from "zod";
import { refuse, Uuid } from "./common.ts";

export const queryBoolean = z
  .string()
  .transform((text, context) => {
    if (text === "true" || text === "false") return text === "true";
    refuse(context, {
      type: "bool_parsing",
      message: "Input should be a valid boolean, 'true' or 'false'",
    });
    return z.NEVER;
  })
  .meta({ wire: { type: "boolean" } });

const valuesMax = 20;

/**
 * A filter of one value or several, by commas; a parameter that is repeated has the values of all. Equal values count
 * once. A value that is refused is named by its place among several, and alone by its parameter, as it always was.
 */
export function anyOf<Value extends z.ZodType<string | number>>(value: Value, description: string) {
  const split = (given: unknown, context: z.core.$RefinementCtx): unknown => {
    const texts = [given].flat().flatMap((text) => (typeof text === "string" ? text.split(",") : [text]));
    if (texts.length > 1) return texts;
    const { error } = value.safeParse(texts[0], { reportInput: true });
    if (error === undefined) return texts;
    context.issues.push(
      ...error.issues.map((issue) => ({ ...issue, input: texts[0] }) as z.core.$ZodRawIssue),
    );
    return z.NEVER;
  };
  return z
    .preprocess(
      split,
      z
        .array(value)
        .overwrite((values) => [...new Set(values)])
        .max(valuesMax),
    )
    .optional()
    .describe(`${description} Several are separated by commas.`);
}

export function queryUuids(max: number) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(",")))])
    .pipe(z.array(Uuid).min(1).max(max))
    .meta({ wire: { type: "array", items: { type: "string", format: "uuid" }, maxItems: max } });
}
