import { isPointing } from "../../action/action.ts";
import { isLinesOnly } from "../../picture/lines-only.ts";
import { type PictureCodec, UnreadablePicture } from "../../picture/picture-codec.ts";
import type { RecordedPiece } from "../trajectory-element.ts";
import type { PlacedElement } from "./approval-subject.ts";
import { quoted } from "./typed-constants.ts";

/** Clicks that straight lines alone identify look the same in another row of a table. */
export function warnOfLines(pictures: PictureCodec, elements: readonly PlacedElement[]): readonly string[] {
  return elements.flatMap(({ at, element: { action, anchor, by } }) => {
    if (by !== "replay" || !isPointing(action) || anchor === undefined) return [];
    if (!showsLinesOnly(pictures, anchor)) return [];
    const which = action.target === undefined ? action.type : `${action.type}, ${quoted(action.target)}`;
    return [
      `element ${at + 1} (${which}) is found by straight lines alone, which another row of the same list may have, too: record it on its text, or leave it to a model with by: model`,
    ];
  });
}

function showsLinesOnly(pictures: PictureCodec, { png }: RecordedPiece): boolean {
  try {
    return isLinesOnly(pictures.decode(Buffer.from(png, "base64")));
  } catch (error) {
    if (error instanceof UnreadablePicture) return false;
    throw error;
  }
}
