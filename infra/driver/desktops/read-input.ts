import type * as z from "zod";
import { Refusal } from "../answer.ts";
import type { DesktopRequest } from "../desktop.ts";

/** The service accepts no larger body, and a Lambda could not pass it on. */
const bodyBytesMax = 6 * 1024 * 1024;

/** A newer service may send unknown fields. An error never contains the value, which may be typed text. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  place: string,
): z.output<Schema> {
  const parsed = schema.strip().safeParse(input);
  if (parsed.success) return parsed.data as z.output<Schema>;
  const problems = parsed.error.issues.map(({ path, message }) =>
    [[place, ...path].join("."), message].join(": "),
  );
  throw new Refusal(422, "invalid_input", problems.join("; "));
}

/** @throws {Refusal} 422 for what does not fit, 413 above 6 MB. */
export async function readJson<Schema extends z.ZodObject>(
  request: DesktopRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = await request.body.bytes(bodyBytesMax);
  let json: unknown;
  try {
    json = bytes.byteLength === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal(422, "invalid_input", "the body is no JSON");
  }
  return parseInput(schema, json, "body");
}

/** @throws {Refusal} 422 for what does not fit the contract's schema. */
export function readQuery<Schema extends z.ZodObject>(
  request: DesktopRequest,
  schema: Schema,
): z.output<Schema> {
  return parseInput(schema, Object.fromEntries(new URLSearchParams(request.query)), "query");
}
