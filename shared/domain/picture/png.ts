const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function isPng(bytes: Uint8Array): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

/** Twelve bytes of a file can declare a size that fills a function's memory; two 5K displays are 29 megapixels. */
export const pixelsMax = 40_000_000;

/** Zero is no size. Source: https://www.w3.org/TR/png-3/#11IHDR */
export function sizeOfPng(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined {
  if (!isPng(bytes) || bytes.byteLength < 24) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  return width === 0 || height === 0 ? undefined : { width, height };
}
