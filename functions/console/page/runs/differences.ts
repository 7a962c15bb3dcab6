/** A sum of the three colours' differences below this is what pictures of the same thing show. */
const sameBelow = 48;

/** The difference is painted in this colour. */
const mark = [255, 0, 96, 170] as const;

/**
 * Marks where two pictures of the same size differ.
 *
 * @param recorded and `seen` are RGBA, a byte each.
 * @returns RGBA, transparent where they are the same, and the share of pixels that differ.
 */
export function differences(
  recorded: Uint8ClampedArray,
  seen: Uint8ClampedArray,
): { readonly pixels: Uint8ClampedArray<ArrayBuffer>; readonly share: number } {
  const pixels = new Uint8ClampedArray(seen.length);
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const difference = [0, 1, 2].reduce(
      (sum, color) => sum + Math.abs((recorded[at + color] ?? 0) - (seen[at + color] ?? 0)),
      0,
    );
    if (difference < sameBelow) continue;
    count += 1;
    pixels.set(mark, at);
  }
  return { pixels, share: pixels.length === 0 ? 0 : count / (pixels.length / 4) };
}
