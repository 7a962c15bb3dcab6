import type { Picture, Rectangle } from "./picture.ts";

/** One byte per pixel; `x` and `y` are the plane's place on the picture. */
export interface GreyPlane extends Rectangle {
  readonly values: Uint8Array;
}

/** The weights are in 256ths. Source: https://www.itu.int/rec/R-REC-BT.601 */
const redWeight = 77;
const greenWeight = 150;
const blueWeight = 29;

/** @param part must be wholly on the picture. */
export function greyOf({ data, width }: Picture, part: Rectangle): GreyPlane {
  const values = new Uint8Array(part.width * part.height);
  for (let row = 0, to = 0; row < part.height; row += 1) {
    let at = ((part.y + row) * width + part.x) * 3;
    for (const end = to + part.width; to < end; to += 1, at += 3) {
      values[to] =
        (redWeight * (data[at] ?? 0) +
          greenWeight * (data[at + 1] ?? 0) +
          blueWeight * (data[at + 2] ?? 0)) >>
        8;
    }
  }
  return { ...part, values };
}
