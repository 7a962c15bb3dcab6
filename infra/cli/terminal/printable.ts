import { unprintable } from "../../../shared/vocabulary/unprintable.ts";

const unprintables = new RegExp(`[${unprintable}]`, "gu");

/** A name that somebody has given must not steer the terminal. */
export function printable(text: string, { keepsLines = false } = {}): string {
  return text.replace(unprintables, (character) =>
    keepsLines && (character === "\n" || character === "\t")
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
