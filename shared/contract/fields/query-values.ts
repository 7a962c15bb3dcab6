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

export function queryUuids(max: number) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(",")))])
    .pipe(z.array(Uuid).min(1).max(max))
    .meta({ wire: { type: "array", items: { type: "string", format: "uuid" }, maxItems: max } });
}
