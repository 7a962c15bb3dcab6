import type * as z from "zod";
import type { HttpContext } from "../http-env.ts";

/** The parameter whose pairs are written as `metadata[key]=value`. */
const ofPairs = "metadata";

/** A parameter that is given several times has a list. */
export function readQuery(
  c: HttpContext,
  schema: z.ZodObject | undefined,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(c.req.queries());
  const takesPairs =
    schema !== undefined && ofPairs in schema.shape && !given.some(([name]) => name === ofPairs);
  const parameters: (readonly [string, unknown])[] = [];
  const pairs: (readonly [string, unknown])[] = [];
  for (const [name, values] of given) {
    const value = values.length > 1 ? values : values[0];
    const key = takesPairs ? keyIn(name) : undefined;
    if (key === undefined) parameters.push([name, value]);
    else pairs.push([key, value]);
  }
  if (pairs.length > 0) parameters.push([ofPairs, Object.fromEntries(pairs)]);
  return Object.fromEntries(parameters);
}

/** Schemas ignore `__proto__`, so it stays part of an unknown parameter's name, which is refused. */
function keyIn(name: string): string | undefined {
  const [, key] = /^metadata\[(.*)\]$/s.exec(name) ?? [];
  return key === "__proto__" ? undefined : key;
}
