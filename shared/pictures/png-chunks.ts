import { crc32 } from "node:zlib";
import { UnreadablePicture } from "../domain/picture/picture-codec.ts";
import { signature } from "./write-png.ts";

/** Length and type precede a chunk's data, and a checksum follows it. */
const startBytes = 8;
const endBytes = 4;

export interface PngChunks {
  readonly header: Buffer;
  readonly palette: Buffer | undefined;
  readonly data: Buffer;
}

/** Leaves out chunks that do not affect pixels, as the standard allows. @throws {UnreadablePicture} */
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
