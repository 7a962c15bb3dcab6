import { isUtf8 } from "node:buffer";

/** A body beside its event: the worker makes the text of it, so that the thread of all requests need not. */
export interface EventBody {
  /** They are transferred, so their buffer holds nothing else. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: "utf8" | "base64";
}

/** JSON writes a control character in six bytes. */
const jsonBytesMax = 6;

/** Bytes that JSON adds to a character of one byte. */
const escapeBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? Buffer.byteLength(JSON.stringify(String.fromCharCode(byte))) - '"?"'.length : 0,
);

/** Whether the body takes at most so many bytes within JSON. */
export function fitsInJson({ bytes, encoding }: EventBody, bytesMax: number): boolean {
  if (encoding === "base64") return 4 * Math.ceil(bytes.byteLength / 3) <= bytesMax;
  if (jsonBytesMax * bytes.byteLength <= bytesMax) return true;
  // What is not UTF-8 becomes replacement characters, which are longer.
  const text = isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString("utf8"));
  let count = text.byteLength;
  for (let at = 0; at < text.byteLength; at += 1) count += escapeBytes[text[at] ?? 0] ?? 0;
  return count <= bytesMax;
}
