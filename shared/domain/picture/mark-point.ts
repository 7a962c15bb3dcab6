import type { Picture, Point } from "./picture.ts";

const radius = 20;
const thickness = 3;
/** Hardly any program uses this color. */
const ringColor = [255, 0, 160] as const;

/** The point itself stays visible. */
export function markPoint(picture: Picture, { x, y }: Point): Picture {
  const data = picture.data.slice();
  const reach = radius + thickness;
  for (let row = Math.max(0, y - reach); row <= Math.min(picture.height - 1, y + reach); row += 1) {
    for (let column = Math.max(0, x - reach); column <= Math.min(picture.width - 1, x + reach); column += 1) {
      const distance = Math.hypot(column - x, row - y);
      if (distance >= radius && distance < reach) data.set(ringColor, (row * picture.width + column) * 3);
    }
  }
  return { ...picture, data };
}
