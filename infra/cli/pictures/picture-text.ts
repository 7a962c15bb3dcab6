import { Buffer } from "node:buffer";
import type { PictureProtocol } from "./picture-protocol.ts";

/** Source: https://sw.kovidgoyal.net/kitty/graphics-protocol/#remote-client */
const kittyPartCharacters = 4_096;

/** A terminal with sixels has at most this many colours. */
const sixelColours = 256;

const writers = {
  kitty: kittyText,
  iterm2: iTermText,
  sixel: sixelText,
} as const satisfies Record<PictureProtocol, (png: Uint8Array, columns: number) => Promise<string>>;

/** The control sequences that show a PNG at the cursor, with a line break behind it. @param columns is how wide it may be. */
export async function pictureText(
  protocol: PictureProtocol,
  png: Uint8Array,
  columns: number,
): Promise<string> {
  return `${await writers[protocol](png, columns)}\n`;
}

async function kittyText(png: Uint8Array, columns: number): Promise<string> {
  const data = Buffer.from(png).toString("base64");
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += kittyPartCharacters) {
    const isLast = at + kittyPartCharacters >= data.length;
    const first = at === 0 ? `a=T,f=100,c=${columns},q=2,` : "";
    parts.push(`\u001b_G${first}m=${isLast ? 0 : 1};${data.slice(at, at + kittyPartCharacters)}\u001b\\`);
  }
  return parts.join("");
}

async function iTermText(png: Uint8Array, columns: number): Promise<string> {
  const data = Buffer.from(png).toString("base64");
  return `\u001b]1337;File=inline=1;size=${png.byteLength};width=${columns};preserveAspectRatio=1:${data}\u0007`;
}

async function sixelText(png: Uint8Array): Promise<string> {
  const [{ decode }, { FINALIZER, image2sixel, introducer, sixelEncode }] = await Promise.all([
    import("fast-png"),
    import("sixel"),
  ]);
  const { width, height, data, channels, depth, palette } = decode(png);
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  const shift = depth === 16 ? 8 : 0;
  for (let at = 0; at < width * height; at += 1) {
    const from = at * channels;
    const colour = palette?.[Number(data[from])];
    for (let part = 0; part < 3; part += 1) {
      const sample = Number(data[channels >= 3 ? from + part : from]) >> shift;
      rgba[at * 4 + part] = colour?.[part] ?? sample;
    }
  }
  // Most screens have few colours, which are shown as they are; others are brought down to as many, by dots of others.
  const colours = new Set<number>();
  for (const pixel of new Uint32Array(rgba.buffer)) {
    colours.add(pixel);
    if (colours.size > sixelColours) return image2sixel(rgba, width, height, sixelColours);
  }
  return `${introducer()}${sixelEncode(rgba, width, height, [...colours])}${FINALIZER}`;
}
