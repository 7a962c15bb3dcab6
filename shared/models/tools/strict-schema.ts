import * as z from "zod";
import type { Json, JsonObject } from "../../domain/json.ts";

const Node = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
});

const scalars: ReadonlySet<string | undefined> = new Set(["string", "integer", "number", "boolean"]);

/**
 * With `strict`, each provider accepts flat, closed objects of scalars. Other fields are sent as JSON text.
 *
 * @param optional is "null" for OpenAI, which requires each field.
 */
export function strictSchema(
  schema: z.ZodType,
  optional: "absent" | "null",
  { required, without }: { readonly required: readonly string[]; readonly without: readonly string[] },
): JsonObject {
  const root = Node.parse(
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: withoutDefaults }),
  );
  const names = Object.keys(root.properties ?? {}).filter((name) => !without.includes(name));
  const isRequired = (name: string) => required.includes(name) || (root.required?.includes(name) ?? false);
  const properties = names.map((name) => {
    const field = scalarField(Node.parse(root.properties?.[name]));
    return [name, optional === "null" && !isRequired(name) ? nullable(field) : field] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: optional === "null" ? names : names.filter(isRequired),
    additionalProperties: false,
  };
}

/** Defaults are applied when arguments are checked. */
function withoutDefaults({ jsonSchema }: { jsonSchema: { default?: unknown } }): void {
  delete jsonSchema.default;
}

function scalarField(node: z.infer<typeof Node>): JsonObject {
  const { minimum, maximum } = node;
  // Bounds that all whole numbers have say nothing.
  const isBounded = minimum !== undefined && maximum !== undefined && maximum <= 1_000;
  const range = isBounded ? `${minimum} to ${maximum}.` : undefined;
  const isScalar = scalars.has(node.type);
  const words = [node.description, range, isScalar ? undefined : "As JSON text."].filter(
    (part) => part !== undefined,
  );
  return {
    type: isScalar ? (node.type ?? "string") : "string",
    ...(node.enum !== undefined && { enum: node.enum }),
    ...(words.length > 0 && { description: words.join(" ") }),
  };
}

function nullable(field: JsonObject): JsonObject {
  const { type = null, enum: values } = field;
  const withNull: readonly Json[] = Array.isArray(values) ? [...values, null] : [];
  return { ...field, type: [type, "null"], ...(withNull.length > 0 && { enum: withNull }) };
}
