import * as z from "zod";
import { refuseValue, Uuid } from "./common.ts";
import { agreed, withOtherNames } from "./other-names.ts";

/** The fields of a workflow or run that name configurations of models. */
interface Named extends z.ZodRawShape {
  readonly model_configuration_id: z.ZodType<string | null | undefined>;
  readonly fallback_model_configuration_ids: z.ZodType<string[] | undefined>;
}

const mainName = "main_agent_model_id";
const fallbackNames = ["fallback_model_1_id", "fallback_model_2_id"] as const;

const fallbackFields = {
  fallback_model_1_id: Uuid.nullable()
    .optional()
    .describe("The first of `fallback_model_configuration_ids` by another name."),
  fallback_model_2_id: Uuid.nullable()
    .optional()
    .describe(
      "The second of `fallback_model_configuration_ids` by another name. With either of the two names, both together are the whole list.",
    ),
};

/** In responses each configuration has both names. */
export const otherModelNames = {
  main_agent_model_id: z.guid().nullable().describe("The same as `model_configuration_id`."),
  fallback_model_1_id: z
    .guid()
    .nullable()
    .describe("The first of `fallback_model_configuration_ids`; null if there is none."),
  fallback_model_2_id: z
    .guid()
    .nullable()
    .describe("The second of `fallback_model_configuration_ids`; null if there is none."),
};

type Body = Readonly<Record<string, unknown>>;

/**
 * Takes the configurations by other names too, at the top and inside of `model_metadata`, in whose place they are then.
 *
 * @param withoutMetadata is what a body has for `model_metadata` that named configurations.
 */
export function withModelNames<Shape extends Named>(
  object: z.ZodObject<Shape, z.core.$strict>,
  withoutMetadata: Body,
) {
  const named = withOtherNames(object.extend(fallbackFields), { [mainName]: "model_configuration_id" });
  const read = named
    .transform((given, context) => {
      const { fallback_model_1_id: first, fallback_model_2_id: second, ...body } = given as Body;
      const ids = [first, second].filter((id) => id != null);
      const isNamed = [first, second].some((id) => id !== undefined);
      if (ids.length === 2 && first === second) {
        refuseValue(context, "each id may be given once", ["fallback_model_2_id"]);
      }
      const ours = body.fallback_model_configuration_ids;
      const fallbacks = agreed(context, [
        ...(ours === undefined ? [] : [{ path: ["fallback_model_configuration_ids"], value: ours }]),
        ...(isNamed
          ? [{ path: [first === undefined ? "fallback_model_2_id" : "fallback_model_1_id"], value: ids }]
          : []),
      ]);
      return {
        ...body,
        ...(fallbacks !== undefined && { fallback_model_configuration_ids: fallbacks }),
      } as z.output<typeof object>;
    })
    .meta({ says: ["The two names of fallbacks have different ids."] });
  return z.preprocess((body: z.input<typeof read>) => hoisted(body, withoutMetadata), read);
}

/** A body whose names are at the top already, with other values, is left to the schema, which refuses it. */
function hoisted(body: unknown, withoutMetadata: Body): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { model_metadata: metadata, ...rest } = body as Body;
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return body;
  const names = Object.entries(metadata).filter(([, value]) => value !== undefined);
  const isOfNames = names.every(([name, value]) =>
    [mainName, ...fallbackNames].some((known) => known === name)
      ? rest[name] === undefined || rest[name] === value
      : name === "cache_detection_model_id" && value === null,
  );
  if (!isOfNames || names.length === 0) return body;
  const taken = names.filter(([name]) => name !== "cache_detection_model_id");
  return { ...rest, ...withoutMetadata, ...Object.fromEntries(taken) };
}
