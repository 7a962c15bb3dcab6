import { deflateSync } from "node:zlib";
import type { Picture } from "../domain/picture/picture.ts";
import { signature, writeChunk } from "./png-chunks.ts";

const up = 2;

/**
 * Writes a PNG, 8 bits RGB. Each row is its difference to the one above, which suits windows and text.
 *
 * The driver has an encoder of its own: it turns four bytes a pixel into a PNG within a display's refresh, and
 * `infra` shares the contract alone with what runs in Lambda.
 */
export function encodePng({ width, height, data }: Picture): Uint8Array<ArrayBuffer> {
  const rowBytes = width * 3;
  const rows = new Uint8Array((1 + rowBytes) * height);
  for (let y = 0; y < height; y += 1) {
    const to = y * (1 + rowBytes);
    const from = y * rowBytes;
    rows[to] = up;
    for (let at = 0; at < rowBytes; at += 1) {
      const above = y === 0 ? 0 : (data[from + at - rowBytes] ?? 0);
      rows[to + 1 + at] = (data[from + at] ?? 0) - above;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [
    signature,
    writeChunk("IHDR", header),
    writeChunk("IDAT", deflateSync(rows, { level: 3 })),
    writeChunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}
