import { Refusal } from "../../answer.ts";
import { findKeysym } from "./keysyms.ts";

const shownCharsMax = 64;

/** @throws {Refusal} 422 `unknown_key`, naming the key. */
export function parseKeyGroups(text: string): readonly (readonly number[])[] {
  const groups = text.trim().split(/\s+/);
  return groups.map((group) => group.split("+").map(requireKeysym));
}

function requireKeysym(name: string): number {
  const keysym = findKeysym(name);
  if (keysym !== undefined) return keysym;
  const shown = name.slice(0, shownCharsMax);
  throw new Refusal(422, "unknown_key", `no key is called ${shown}; nothing was pressed`);
}
