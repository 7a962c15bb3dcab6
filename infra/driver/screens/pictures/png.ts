import { constants, crc32, deflateSync } from "node:zlib";
import { filterRows } from "./filter-rows.ts";
import type { Frame } from "./frame.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Size of the chunks that zlib compresses into; its default of 16 KB would make hundreds of them. */
const pieceBytes = 1024 * 1024;

function chunk(type: string, data: Uint8Array): readonly Uint8Array[] {
  const start = Buffer.alloc(8);
  start.writeUInt32BE(data.byteLength);
  start.write(type, 4, "latin1");
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(data, crc32(start.subarray(4))));
  return [start, data, end];
}

/**
 * Makes a PNG, 8 bits RGB, in memory of its own.
 *
 * Source: https://www.w3.org/TR/png-3/
 */
export function createPng(frame: Frame): Uint8Array<ArrayBuffer> {
  const { bytes, isBusy } = filterRows(frame);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(frame.width, 0);
  header.writeUInt32BE(frame.height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const strategy = isBusy ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
  const data = deflateSync(bytes, { level: 1, memLevel: 9, strategy, chunkSize: pieceBytes });
  const parts = [
    signature,
    ...chunk("IHDR", header),
    ...chunk("IDAT", data),
    ...chunk("IEND", Buffer.alloc(0)),
  ];
  const png = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    png.set(part, at);
    at += part.byteLength;
  }
  return png;
}
