import { glyphOf } from "../../../infra/demo-desk/drawing/font.ts";
import type { Picture, Point, Rectangle } from "../../../shared/domain/picture/picture.ts";

export interface SeenText extends Rectangle {
  readonly text: string;
}

export interface TextStyle {
  /** 0xRRGGBB. */
  readonly color: number;
  readonly isBold?: boolean;
}

export function seeText(
  picture: Picture,
  text: string,
  { color, isBold = false }: TextStyle,
): readonly SeenText[] {
  const { inked, bare, width } = maskOf(text, isBold);
  const [first] = inked;
  if (first === undefined) return [];
  const found: SeenText[] = [];
  const [red, green, blue] = [color >>> 16, (color >>> 8) & 0xff, color & 0xff];
  const { data } = picture;
  for (let at = data.indexOf(red); at >= 0; at = data.indexOf(red, at + 1)) {
    if (at % 3 !== 0 || data[at + 1] !== green || data[at + 2] !== blue) continue;
    const [x, y] = [(at / 3) % picture.width, Math.floor(at / 3 / picture.width)];
    const [left, top] = [x - first.x, y - first.y];
    const isAll =
      inked.every((each) => colorAt(picture, left + each.x, top + each.y) === color) &&
      bare.every((each) => colorAt(picture, left + each.x, top + each.y) !== color);
    if (isAll) found.push({ text, x: left, y: top, width, height: 18 });
  }
  return found;
}

export function colorAt({ data, width, height }: Picture, x: number, y: number): number | undefined {
  if (x < 0 || y < 0 || x >= width || y >= height) return undefined;
  const at = (y * width + x) * 3;
  return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
}

export function middleOf({ x, y, width, height }: Rectangle): Point {
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

function maskOf(text: string, isBold: boolean) {
  const covers = new Map<string, number>();
  let right = 0;
  for (const character of text) {
    const { advance, columns, rows, top, cover } = glyphOf(character);
    for (const shift of isBold ? [0, 1] : [0]) {
      for (let at = 0; at < columns * rows; at += 1) {
        const place = `${right + shift + (at % columns)},${top + Math.floor(at / columns)}`;
        covers.set(place, Math.max(covers.get(place) ?? 0, cover[at] ?? 0));
      }
    }
    right += advance + (isBold ? 1 : 0);
  }
  const points = [...covers].map(([place, share]) => {
    const [x = 0, y = 0] = place.split(",").map(Number);
    return { x, y, share };
  });
  const inked = points.filter(({ share }) => share === 255);
  // Rows that another letter's edge may touch are left out.
  const bare = points.filter(({ share, y }) => share === 0 && y >= 4 && y <= 13);
  return { inked, bare, width: right };
}
