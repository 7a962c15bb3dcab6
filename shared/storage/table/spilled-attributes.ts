import * as z from "zod";
import type { Json } from "../../domain/json.ts";
import type { Spilled } from "../../domain/spill.ts";
import { converted, type Field } from "./row.ts";

export const SpilledAttribute = z.union([
  z.object({ json: z.string() }),
  z.object({ key: z.string(), bytes: z.number(), head: z.string() }),
]);

export const spilled: Field<Spilled> = converted(
  () => SpilledAttribute,
  (attribute) =>
    "json" in attribute
      ? { kind: "inline", value: JSON.parse(attribute.json) as Json }
      : { kind: "object", ...attribute },
  (field) => {
    if (field.kind === "inline") return { json: JSON.stringify(field.value) };
    const { key, bytes, head } = field;
    return { key, bytes, head };
  },
);

/** Only the beginning of a spilled field is searched. */
export function searchedText(attribute: unknown): string {
  const parsed = SpilledAttribute.safeParse(attribute);
  if (!parsed.success) return "";
  return "json" in parsed.data ? parsed.data.json : parsed.data.head;
}
