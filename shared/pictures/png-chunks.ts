import { crc32 } from "node:zlib";
import { UnreadablePicture } from "../domain/picture/picture-codec.ts";

export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length and type before a chunk's data, a checksum after it. */
const startBytes = 8;
const endBytes = 4;

export interface PngChunks {
  readonly header: Buffer;
  readonly palette: Buffer | undefined;
  readonly data: Buffer;
}

/**
 * Reads the chunks that make the pixels; others are left out, as the standard allows.
 *
 * @throws {UnreadablePicture}
 */
export function readChunks(file: Uint8Array): PngChunks {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, signature.length).equals(signature)) throw new UnreadablePicture("it is no PNG");
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  let palette: Buffer | undefined;
  for (let at = signature.length; ; ) {
    const { type, content, end } = readChunk(bytes, at);
    if (header === undefined && type !== "IHDR")
      throw new UnreadablePicture("the PNG begins without a header");
    if (type === "IHDR") header = content;
    if (type === "PLTE") palette = content;
    if (type === "IDAT") data.push(content);
    if (type === "IEND") break;
    at = end;
  }
  const [first, ...more] = data;
  if (header?.byteLength !== 13 || first === undefined) throw new UnreadablePicture("the PNG has no pixels");
  return { header, palette, data: more.length === 0 ? first : Buffer.concat(data) };
}

function readChunk(bytes: Buffer, at: number) {
  if (at + startBytes > bytes.byteLength) throw new UnreadablePicture("the PNG ends early");
  const contentEnd = at + startBytes + bytes.readUInt32BE(at);
  const end = contentEnd + endBytes;
  if (end > bytes.byteLength) throw new UnreadablePicture("the PNG ends early");
  if (crc32(bytes.subarray(at + 4, contentEnd)) !== bytes.readUInt32BE(contentEnd)) {
    throw new UnreadablePicture("a checksum of the PNG is wrong");
  }
  const type = bytes.toString("latin1", at + 4, at + startBytes);
  return { type, content: bytes.subarray(at + startBytes, contentEnd), end };
}

export function writeChunk(type: string, content: Uint8Array): Buffer {
  const chunk = Buffer.allocUnsafe(startBytes + content.byteLength + endBytes);
  chunk.writeUInt32BE(content.byteLength);
  chunk.write(type, 4, "latin1");
  chunk.set(content, startBytes);
  const contentEnd = startBytes + content.byteLength;
  chunk.writeUInt32BE(crc32(chunk.subarray(4, contentEnd)), contentEnd);
  return chunk;
}
