import type * as z from "zod";
import { Refusal } from "../answer.ts";
import type { DesktopRequest } from "../desktop.ts";

/** Says where input is wrong, never what it was: it may be text that somebody typed. */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown, place: string): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    [[place, ...path].join("."), message].join(": "),
  );
  throw new Refusal(422, "invalid_input", problems.join("; "));
}

/**
 * Reads a JSON body.
 *
 * @throws {Refusal} 422 for what does not fit the schema, 413 above `bytesMax`.
 */
export async function readJson<Output>(
  request: DesktopRequest,
  schema: z.ZodType<Output>,
  bytesMax: number,
): Promise<Output> {
  const bytes = await request.body.bytes(bytesMax);
  let json: unknown;
  try {
    json = bytes.byteLength === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal(422, "invalid_input", "the body is no JSON");
  }
  return parseInput(schema, json, "body");
}
