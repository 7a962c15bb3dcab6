import { codeParts } from "../code/code-parts.ts";
import { element } from "./element.ts";

/** Beyond this a page would take noticeably long to colour it. */
const colouredCharactersMax = 200_000;

export function showCode(place: Element, code: string): void {
  const parts = code.length > colouredCharactersMax ? [{ text: code }] : codeParts(code);
  place.replaceChildren(
    ...parts.map(({ kind, text }) => (kind === undefined ? text : element("i", { class: kind }, text))),
  );
}
