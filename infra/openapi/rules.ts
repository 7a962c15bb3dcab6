import * as z from "zod";

/**
 * The sentences of `.meta({ says: [...] })`: what a refinement asks and no keyword of JSON Schema says. They stand beside
 * the refinement, and the documents add them to the description.
 */
function rulesOf(schema: z.core.$ZodType): readonly string[] {
  const says = (z.globalRegistry.get(schema)?.says ?? []) as readonly string[];
  const inner = innerOf(schema as z.core.$ZodTypes);
  return [...new Set([...says, ...(inner === undefined ? [] : rulesOf(inner))])];
}

/** A request fits the schema before a transform, and the one behind a preprocessing. */
function innerOf({ _zod: { def } }: z.core.$ZodTypes): z.core.$ZodType | undefined {
  if (def.type !== "pipe") return "innerType" in def ? def.innerType : undefined;
  return (def.in as z.core.$ZodTypes)._zod.def.type === "transform" ? def.out : def.in;
}

/** Adds the sentences that a description lacks. */
export function withRules(description: string | undefined, schema: z.core.$ZodType): string | undefined {
  const unsaid = rulesOf(schema).filter((rule) => description?.includes(rule) !== true);
  return unsaid.length === 0 ? description : [description ?? "", ...unsaid].join(" ").trim();
}
