import { crc32, deflateSync } from "node:zlib";

export interface PngForm {
  readonly width: number;
  readonly height: number;
  readonly bits?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  readonly colorType?: number;
  readonly interlace?: number;
  readonly palette?: readonly number[];
  /** The rows' bytes, without their filter types. */
  readonly bytes: readonly number[];
  readonly filters?: readonly number[];
  /** Number of parts that the compressed bytes are split into. */
  readonly parts?: number;
}

export function aPng(form: PngForm): Uint8Array {
  const { width, height, bits = 8, colorType = 2, interlace = 0, palette, parts = 1 } = form;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colorType, 0, 0, interlace], 8);
  const data = deflateSync(filtered(form));
  const partBytes = Math.ceil(data.byteLength / parts);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from("Comment\0passed over")),
    ...(palette === undefined ? [] : [chunk("PLTE", Buffer.from(palette))]),
    ...Array.from({ length: parts }, (_, at) =>
      chunk("IDAT", data.subarray(at * partBytes, (at + 1) * partBytes)),
    ),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.byteLength);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

function filtered({ height, bits = 8, colorType = 2, bytes, filters = [0] }: PngForm): Buffer {
  const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colorType] ?? 1;
  const pixelBytes = Math.max(1, (samples * bits) / 8);
  const rowBytes = bytes.length / height;
  const at = (y: number, x: number) => (y < 0 || x < 0 ? 0 : (bytes[y * rowBytes + x] ?? 0));
  const rows: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const filter = filters[y % filters.length] ?? 0;
    rows.push(filter);
    for (let x = 0; x < rowBytes; x += 1) {
      const prediction = predict(filter, at(y, x - pixelBytes), at(y - 1, x), at(y - 1, x - pixelBytes));
      rows.push((at(y, x) - prediction) & 0xff);
    }
  }
  return Buffer.from(rows);
}

/** Source: https://www.w3.org/TR/png-3/#9Filters */
function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return Math.floor((left + above) / 2);
  if (filter !== 4) return 0;
  const estimate = left + above - corner;
  const near = (value: number) => Math.abs(estimate - value);
  if (near(left) <= near(above) && near(left) <= near(corner)) return left;
  return near(above) <= near(corner) ? above : corner;
}
