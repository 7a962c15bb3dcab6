import { clip, type Picture, type Rectangle } from "./picture.ts";

const paint = 0x80;

export function paintOver(picture: Picture, parts: readonly Rectangle[]): Picture {
  const data = picture.data.slice();
  for (const each of parts) {
    const part = clip(picture, each);
    if (part === undefined) continue;
    for (let y = part.y; y < part.y + part.height; y += 1) {
      const start = (y * picture.width + part.x) * 3;
      data.fill(paint, start, start + part.width * 3);
    }
  }
  return { ...picture, data };
}
