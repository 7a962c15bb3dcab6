import { constantsIn } from "../../placeholder/fill-in.ts";
import type { PlacedElement, WarnedTrajectory } from "./approval-subject.ts";

/** Most of a typed text that a warning shows, in characters. */
const shownMax = 80;

/** Warns of texts that are typed the same in each run. */
export function warnOfTypedConstants({ elements }: WarnedTrajectory): readonly string[] {
  return typedConstants(elements).map(({ at, element, text }) =>
    element.isFromScreen === true
      ? `element ${at + 1} types ${quoted(text)}, which stood on the recorded screen and is neither an input nor a saved value: in each run a model is asked what is typed, with replay \`only\` it is typed as it is, and runs with other inputs are not replayed; save it by read or copy_to_clipboard before, and type it as {name}`
      : `element ${at + 1} types ${quoted(text)} in each run: it is neither an input nor a saved value`,
  );
}

/** Elements that type what stood on a recorded screen: another text with other inputs. */
export function typedFromScreen(elements: readonly PlacedElement[]): readonly TypedConstant[] {
  return typedConstants(elements).filter(({ element }) => element.isFromScreen === true);
}

export interface TypedConstant extends PlacedElement {
  /** The text that it types in each run, with … for values that are filled in. */
  readonly text: string;
}

/** Cut where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);
}

function typedConstants(elements: readonly PlacedElement[]): readonly TypedConstant[] {
  return elements.flatMap(({ at, element }) => {
    const { action } = element;
    if (action.type !== "type") return [];
    const constants = constantsIn(action.text);
    return constants.length === 0 ? [] : [{ at, element, text: constants.join(" … ") }];
  });
}
