import { printable } from "./printable.ts";

/** Warnings of the service, each on a line. */
export function sentences(texts: readonly string[]): string {
  return texts
    .filter((text) => text !== "")
    .map((text) => `${printable(text)}\n`)
    .join("");
}
