export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/**
 * The display's pixel below a place of the window. The picture lies in the middle of the box, as large as it fits.
 *
 * @returns undefined beside the picture.
 */
export function desktopPoint(place: Point, box: Box, display: Size): Point | undefined {
  const scale = Math.min(box.width / display.width, box.height / display.height);
  if (!(scale > 0) || !Number.isFinite(scale)) return undefined;
  const x = Math.floor((place.x - box.left - (box.width - display.width * scale) / 2) / scale);
  const y = Math.floor((place.y - box.top - (box.height - display.height * scale) / 2) / scale);
  const isInside = x >= 0 && y >= 0 && x < display.width && y < display.height;
  return isInside ? { x, y } : undefined;
}

/** The pixel at the picture's edge that is nearest to a place beside it, where a drag may end. */
export function nearestPoint(place: Point, box: Box, display: Size): Point | undefined {
  const scale = Math.min(box.width / display.width, box.height / display.height);
  const [width, height] = [display.width * scale, display.height * scale];
  const left = box.left + (box.width - width) / 2;
  const top = box.top + (box.height - height) / 2;
  // Half a pixel of the display keeps the rounding inside.
  const within = (value: number, from: number, length: number) =>
    Math.min(Math.max(value, from + scale / 2), from + length - scale / 2);
  return desktopPoint({ x: within(place.x, left, width), y: within(place.y, top, height) }, box, display);
}
