import * as z from "zod";
import { inputBytesMax } from "../../vocabulary/files.ts";
import { refuse } from "./common.ts";
import { type JsonValue, requireBytes } from "./json-value.ts";
import { name } from "./text.ts";

export const parametersMax = 100;

const ParameterName = name(1, 255);

export function requireItemsMax(max: number) {
  return (items: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    const count = Object.keys(items).length;
    if (count <= max) return;
    refuse(context, {
      type: "too_long",
      message: `Dictionary should have at most ${max} items after validation, not ${count}`,
      ctx: { field_type: "Dictionary", max_length: max, actual_length: count },
    });
  };
}

function requireBounds(parameters: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  requireItemsMax(parametersMax)(parameters, context);
  if (Object.keys(parameters).length <= parametersMax) requireBytes(inputBytesMax)(parameters, context);
}

const bounds = () => ({
  maxProperties: parametersMax,
  says: [`At most ${parametersMax} names and 64 KB (65,536 bytes) of JSON in all.`],
});

export const Parameters = z
  .record(
    ParameterName,
    z.custom<JsonValue>(() => true),
  )
  .superRefine(requireBounds)
  .meta(bounds());

export const SensitiveParameters = z
  .record(ParameterName, z.string())
  .superRefine(requireBounds)
  .meta(bounds());
