import type { RunStep } from "../../execution/execution.ts";
import { cutAnchor } from "../../picture/cut-anchor.ts";
import type { Picture, Rectangle } from "../../picture/picture.ts";
import type { PictureCodec } from "../../picture/picture-codec.ts";
import type { RecordedPiece } from "../trajectory-element.ts";
import { recordPiece } from "./record-element.ts";

/** What a model has read is to be seen on the last screen, and is another one with each run. */
export function readsScreen({ source, action: { type } }: RunStep): boolean {
  return source === "model" && (type === "copy_to_clipboard" || type === "read");
}

/** What the last action had changed. */
export function lastScreen(
  pictures: PictureCodec,
  screen: Picture | undefined,
  changed: Rectangle | undefined,
): readonly RecordedPiece[] {
  if (screen === undefined || changed === undefined) return [];
  const middle = {
    x: Math.floor(changed.x + changed.width / 2),
    y: Math.floor(changed.y + changed.height / 2),
  };
  const anchor = cutAnchor(screen, middle);
  return anchor === null ? [] : [recordPiece(pictures, anchor)];
}
