import { constantsIn } from "../../placeholder/fill-in.ts";
import type { PlacedElement, WarnedTrajectory } from "./approval-subject.ts";

const shownMax = 80;

export function warnOfTypedConstants({ elements }: WarnedTrajectory): readonly string[] {
  return typedConstants(elements).map(({ at, element, text }) =>
    element.isFromScreen === true
      ? `element ${at + 1} types ${quoted(text)}, which stood on the recorded screen and is neither an input nor a saved value: in each run a model is asked what is typed, with replay \`only\` it is typed as it is, and runs with other inputs are not replayed; save it by read or copy_to_clipboard before, and type it as {name}`
      : `element ${at + 1} types ${quoted(text)} in each run: it is neither an input nor a saved value`,
  );
}

/** The recorded screen may show another text with other inputs. */
export function typedFromScreen(elements: readonly PlacedElement[]): readonly TypedConstant[] {
  return typedConstants(elements).filter(({ element }) => element.isFromScreen === true);
}

export interface TypedConstant extends PlacedElement {
  /** Values that are filled in are shown as …. */
  readonly text: string;
}

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
