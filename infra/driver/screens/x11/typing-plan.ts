import { notTypable } from "../keysyms/typable.ts";
import type { Keymap } from "./keymap.ts";

export interface TypingPlan {
  readonly keymap: Pick<Keymap, "strokeOfCharacter">;
  readonly group: number;
  /** This many missing characters fit on spare keys at a time. */
  readonly slots: number;
}

export interface Batch {
  readonly characters: readonly string[];
  readonly missing: readonly string[];
}

/** @throws {Refusal} 422 `character_not_typable` when the keyboard has no spare key at all. */
export function planBatch(characters: readonly string[], { keymap, group, slots }: TypingPlan): Batch {
  const missing = new Set<string>();
  for (const [index, character] of characters.entries()) {
    if (missing.has(character) || keymap.strokeOfCharacter(character, group) !== undefined) continue;
    if (missing.size === slots) {
      if (slots === 0) throw notTypable(character, index);
      return { characters: characters.slice(0, index), missing: [...missing] };
    }
    missing.add(character);
  }
  return { characters, missing: [...missing] };
}
