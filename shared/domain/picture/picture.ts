/** Rows start at the top; a pixel has three bytes (red, green, blue), and nothing is between rows. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rectangle extends Point, Size {}

export interface Shift {
  readonly dx: number;
  readonly dy: number;
}

/** @throws {RangeError} for a part that is not wholly on the picture. */
export function crop(picture: Picture, part: Rectangle): Picture {
  if (!holds(picture, part)) throw new RangeError("the part is not on the picture");
  const { x, y, width, height } = part;
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * picture.width + x) * 3;
    data.set(picture.data.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, data };
}

export function holds(outer: Size & Partial<Point>, { x, y, width, height }: Rectangle): boolean {
  const { x: left = 0, y: top = 0 } = outer;
  return x >= left && y >= top && x + width <= left + outer.width && y + height <= top + outer.height;
}

export function shifted<R extends Point>(rectangle: R, { dx, dy }: Shift): R {
  return { ...rectangle, x: rectangle.x + dx, y: rectangle.y + dy };
}

export function reversed({ dx, dy }: Shift): Shift {
  return { dx: 0 - dx, dy: 0 - dy };
}

export function grown({ x, y, width, height }: Rectangle, across: number, down = across): Rectangle {
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

export function frameOf({ x, y, width, height }: Rectangle): Rectangle {
  return { x, y, width, height };
}

export function isSameSize(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

export function clip(picture: Size, rectangle: Rectangle): Rectangle | undefined {
  const x = Math.max(0, rectangle.x);
  const y = Math.max(0, rectangle.y);
  const width = Math.min(picture.width, rectangle.x + rectangle.width) - x;
  const height = Math.min(picture.height, rectangle.y + rectangle.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function union(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  const height = Math.max(a.y + a.height, b.y + b.height) - y;
  return { x, y, width, height };
}

export function moveInside(picture: Size, rectangle: Rectangle): Rectangle {
  const width = Math.min(rectangle.width, picture.width);
  const height = Math.min(rectangle.height, picture.height);
  const x = Math.max(0, Math.min(rectangle.x, picture.width - width));
  const y = Math.max(0, Math.min(rectangle.y, picture.height - height));
  return { x, y, width, height };
}
