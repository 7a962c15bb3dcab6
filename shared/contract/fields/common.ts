import * as z from "zod";
import { example } from "./example.ts";

export const Uuid = z.guid().toLowerCase();

export const OrganizationId = z.string().meta({ examples: ["org_2f6c1a"] });

/** Adds an issue in pydantic's words: the pipeline takes `type` and `ctx` from `params`. */
export function refuse(
  context: z.core.$RefinementCtx,
  issue: { type: string; message: string; path?: PropertyKey[]; ctx?: Readonly<Record<string, unknown>> },
): void {
  context.addIssue({
    code: "custom",
    message: issue.message,
    path: issue.path ?? [],
    params: { type: issue.type, ctx: issue.ctx },
  });
}

export function refuseValue(
  context: z.core.$RefinementCtx,
  error: string,
  path: readonly PropertyKey[] = [],
): void {
  refuse(context, { type: "value_error", message: `Value error, ${error}`, path: [...path], ctx: { error } });
}

/** `wire` is what the documents say of a schema that reads text (`infra/openapi`). */
export function queryInt(min: number, max: number) {
  return z
    .string()
    .transform((text, context) => {
      if (/^[+-]?\d{1,16}$/.test(text)) return Number(text);
      refuse(context, {
        type: "int_parsing",
        message: "Input should be a valid integer, unable to parse string as an integer",
      });
      return z.NEVER;
    })
    .pipe(z.int().min(min).max(max))
    .meta({ wire: { type: "integer", minimum: min, maximum: max } });
}

/** Getters create the schemas only where they are spread, so functions without lists create none. */
export const pageQuery = {
  get skip() {
    return example(queryInt(0, Number.MAX_SAFE_INTEGER).default(0), 0).describe(
      "Number of items to leave out from the start of the list.",
    );
  },
  get limit() {
    return example(queryInt(1, 1_000).default(100), 100).describe("Largest number of items in the response.");
  },
};

export const afterQuery = {
  get after() {
    return Uuid.optional().describe(
      "The id of the last item of the page before: the page begins behind it, whatever was created or deleted since. It stands in place of `skip`.",
    );
  },
};

export const skipOrAfter = "A `skip` above 0 is refused beside `after`.";

/** A `skip` of 0 is the default, which some clients always send. */
export function refuseSkipBesideAfter(
  { skip, after }: { readonly skip: number; readonly after?: string | number | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (after === undefined || skip === 0) return;
  refuseValue(context, "after stands in place of skip: one of them is given", ["after"]);
}

export const createdQuery = {
  get created_at_from() {
    return example(Timestamp.optional(), "2026-01-01T00:00:00Z").describe(
      "Only items created at this time or later are listed.",
    );
  },
  get created_at_to() {
    return example(Timestamp.optional(), "2026-12-31T23:59:59Z").describe(
      "Only items created at this time or earlier are listed.",
    );
  },
};

export const updatedQuery = {
  get updated_at_from() {
    return example(Timestamp.optional(), "2026-01-01T00:00:00Z").describe(
      "Only items last changed at this time or later are listed.",
    );
  },
  get updated_at_to() {
    return example(Timestamp.optional(), "2026-12-31T23:59:59Z").describe(
      "Only items last changed at this time or earlier are listed.",
    );
  },
};

export const Timestamp = z.iso
  .datetime({ offset: true })
  .transform((text, context) => {
    const ms = Date.parse(text);
    if (ms >= 0 && ms < Date.UTC(10_000, 0)) return new Date(ms).toISOString();
    refuse(context, {
      type: "datetime_parsing",
      message: "Input should be a valid datetime, of the years 1970 to 9999",
    });
    return z.NEVER;
  })
  .meta({ says: ["The time is of the years 1970 to 9999."] });

export function includeQuery<const Values extends readonly [string, ...string[]]>(...allowed: Values) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(",")))])
    .pipe(z.array(z.enum(allowed)))
    .meta({ wire: { type: "array", items: { type: "string", enum: [...allowed] } } })
    .describe(
      `Related resources to return in \`included\`, separated by commas: ${allowed.map((name) => `\`${name}\``).join(", ")}.`,
    );
}

export function fieldsQuery<const Values extends Readonly<Record<string, string>>>(field: z.ZodEnum<Values>) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat())])
    .pipe(z.array(field))
    .meta({ wire: { type: "array", items: { type: "string", enum: field.options } } })
    .describe(
      `The only fields that items are to have, beside those that they always have; the parameter is repeated for each.`,
    );
}

export function omittedFields<Field extends z.ZodType>(field: Field) {
  return z
    .array(field)
    .optional()
    .describe(
      "Names of the fields that are left out of this item, or null in it, because they may be large or cost a read for each item. The resource's own GET has them, and so has a list that names them in `fields`, where it takes `fields`. Absent when the request names `fields`.",
    );
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item).describe("The items of this page, in the list's order."),
    total: z.int().min(0).describe("Number of items on all pages together."),
    skip: example(z.int().min(0), 0).describe("Number of items left out before this page, as requested."),
    limit: z.int().min(1).describe("Largest number of items on a page, as requested."),
  });
}

export function listOf<Item extends z.ZodType, Included extends z.ZodType>(item: Item, included: Included) {
  return pageOf(item).extend({
    included: z
      .array(included)
      .optional()
      .describe("The related resources that `include` asked for, each once; absent without `include`."),
  });
}
