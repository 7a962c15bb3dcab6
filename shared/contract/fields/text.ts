import * as z from "zod";
import { notInFileNames, unprintable } from "../../vocabulary/unprintable.ts";
import { refuse } from "./common.ts";

/** Patterns with classes of Unicode are not made while a function loads: each takes 0.1 ms. */
const unfit = () => new RegExp(`[${notInFileNames}]`, "u");

export const FileName = text(1, 255)
  .refine(
    (name) => !unfit().test(name) && name !== "." && name !== "..",
    "a file name has no slash, backslash, control character, line separator or mark of direction, and is neither . nor ..",
  )
  .meta({ pattern: `^(?!\\.{1,2}$)[^${notInFileNames}]+$` });

/** JSON Schema and pydantic count Unicode code points, so an emoji of one code point counts once. */
export function text(min: number, max: number) {
  const string = min === 0 ? z.string() : z.string().min(min);
  return string
    .superRefine((value, context) => {
      // A code point has one or two UTF-16 units.
      if (value.length > max && codePoints(value) > max) {
        refuse(context, {
          type: "string_too_long",
          message: `String should have at most ${max} character${max === 1 ? "" : "s"}`,
          ctx: { max_length: max },
        });
      }
      if (value.length >= min && value.length < 2 * min && codePoints(value) < min) {
        refuse(context, {
          type: "string_too_short",
          message: `String should have at least ${min} character${min === 1 ? "" : "s"}`,
          ctx: { min_length: min },
        });
      }
    })
    .meta({ maxLength: max });
}

/** A text that a person reads in one line. */
export function name(min: number, max: number) {
  return text(min, max).regex(
    new RegExp(`^[^${unprintable}]*$`, "u"),
    "String should have no control characters, line separators and marks of direction",
  );
}

export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
