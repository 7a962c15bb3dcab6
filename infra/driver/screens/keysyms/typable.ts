import { Refusal } from "../../answer.ts";
import { keysymOf } from "./keysyms.ts";

/** @throws {Refusal} 422 `character_not_typable`, which names only the first such character. */
export function charactersOf(text: string): readonly string[] {
  const given = [...text];
  const at = given.findIndex((character) => keysymOf(character) === undefined);
  const character = given[at];
  if (character !== undefined) throw notTypable(character, at);
  return [...text.replaceAll(/\r\n?/g, "\n")];
}

export function notTypable(character: string, index: number): Refusal {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const sentence = `character ${index + 1} of the text, U+${point}, cannot be typed; nothing of it has been`;
  return new Refusal(422, "character_not_typable", sentence);
}
