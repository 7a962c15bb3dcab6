import type { Context } from "../../program/context.ts";
import { UsageError } from "../../program/failures.ts";

export const stdinHint = "without it, or with -, standard input is read, which other programs cannot see";

/** What was given on the line, or else standard input without its last line break. */
export async function textOf(
  { terminal }: Pick<Context, "terminal">,
  given: string | undefined,
  what: string,
): Promise<string> {
  if (given !== undefined && given !== "-") return given;
  const text = new TextDecoder().decode(await terminal.readInput()).replace(/\r?\n$/, "");
  if (text === "") throw new UsageError(`there is no ${what}: give it, or write it to standard input`);
  return text;
}

/** @throws {UsageError} */
export function numberOf(given: unknown, name: string): number {
  const number = Number(given);
  if (String(given).trim() !== "" && Number.isFinite(number)) return number;
  throw new UsageError(`${name} is a number, not ${given}`);
}

/** A place on the display is two words, or none. */
export function placeOf(
  x: string | undefined,
  y: string | undefined,
): { readonly x?: number; readonly y?: number } {
  if (x === undefined && y === undefined) return {};
  if (y === undefined) throw new UsageError("x and y are given together or not at all");
  return { x: numberOf(x, "x"), y: numberOf(y, "y") };
}
