import { inflateSync } from "node:zlib";
import type { Picture } from "../domain/picture/picture.ts";
import { UnreadablePicture } from "../domain/picture/picture-codec.ts";
import { pixelsMax } from "../domain/picture/png.ts";
import { readChunks } from "./png-chunks.ts";
import { unfilterRow } from "./unfilter-row.ts";

/** Samples per pixel by color type. Source: https://www.w3.org/TR/png-3/#11IHDR */
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const paletteType = 3;
const sampleBits: readonly number[] = [1, 2, 4, 8, 16];

interface Form {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly colorType: number;
  readonly samples: number;
}

/** Reads all color types and depths, not interlaced; a display's pixels are opaque. @throws {UnreadablePicture} */
export function decodePng(file: Uint8Array): Picture {
  const { header, palette, data } = readChunks(file);
  const form = readForm(header);
  const { width, height, bits, samples } = form;
  const rowBytes = Math.ceil((width * samples * bits) / 8);
  const rows = inflate(data, (1 + rowBytes) * height);
  const pixelBytes = Math.max(1, (samples * bits) / 8);
  // Desktops send this form, the only one whose rows are the picture's own: each moves up over bytes already read.
  const isPlain = form.colorType === 2 && bits === 8;
  const stride = isPlain ? rowBytes : 1 + rowBytes;
  const first = isPlain ? 0 : 1;
  const zeros = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const fromAt = y * (1 + rowBytes) + 1;
    const toAt = y * stride + first;
    unfilterRow({
      filter: rows[fromAt - 1] ?? 0,
      from: rows,
      fromAt,
      to: rows,
      toAt,
      above: y === 0 ? zeros : rows,
      aboveAt: y === 0 ? 0 : toAt - stride,
      bytes: rowBytes,
      pixelBytes,
    });
  }
  return {
    width,
    height,
    data: isPlain
      ? new Uint8Array(rows.buffer, rows.byteOffset, width * height * 3)
      : unpack(rows, stride, form, palette),
  };
}

function readForm(header: Buffer): Form {
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const [bits = 0, colorType = 0, compression = 0, filter = 0, interlace = 0] = header.subarray(8);
  if (width === 0 || height === 0) throw new UnreadablePicture("the PNG has no pixels");
  if (width * height > pixelsMax) {
    throw new UnreadablePicture(`the PNG is ${width} x ${height}; at most ${pixelsMax} pixels are read`);
  }
  const samples = samplesOf[colorType];
  const isKnown = sampleBits.includes(bits) && (bits >= 8 || samples === 1);
  if (
    samples === undefined ||
    !isKnown ||
    (colorType === paletteType && bits > 8) ||
    compression + filter > 0
  ) {
    throw new UnreadablePicture("the PNG has a form that the standard does not know");
  }
  if (interlace !== 0) throw new UnreadablePicture("an interlaced PNG is not read");
  return { width, height, bits, colorType, samples };
}

/** The data is inflated in one piece, because zlib's own 16 KB would be gathered in hundreds. */
function inflate(data: Uint8Array, bytes: number): Buffer {
  let rows: Buffer;
  try {
    rows = inflateSync(data, { chunkSize: Math.max(64, bytes + 1), maxOutputLength: bytes });
  } catch (cause) {
    throw new UnreadablePicture("the PNG's data is broken or longer than its size says", { cause });
  }
  if (rows.byteLength !== bytes) throw new UnreadablePicture("the PNG's data is shorter than its size says");
  return rows;
}

function unpack(rows: Uint8Array, stride: number, form: Form, palette: Uint8Array | undefined): Uint8Array {
  const { width, height, bits, colorType, samples } = form;
  if (colorType === paletteType && palette === undefined) {
    throw new UnreadablePicture("the PNG has no palette");
  }
  const data = new Uint8Array(width * height * 3);
  const isColored = samples >= 3;
  const scale = bits < 8 && colorType !== paletteType ? 255 / ((1 << bits) - 1) : 1;
  // 16 bits are cut to their higher byte.
  const sampleBytes = bits === 16 ? 2 : 1;
  for (let y = 0, to = 0; y < height; y += 1) {
    const start = y * stride + 1;
    for (let x = 0; x < width; x += 1, to += 3) {
      const value =
        bits < 8
          ? ((rows[start + ((x * bits) >> 3)] ?? 0) >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1)
          : (rows[start + x * samples * sampleBytes] ?? 0);
      if (palette !== undefined && colorType === paletteType) {
        data[to] = palette[value * 3] ?? 0;
        data[to + 1] = palette[value * 3 + 1] ?? 0;
        data[to + 2] = palette[value * 3 + 2] ?? 0;
        continue;
      }
      const at = start + x * samples * sampleBytes;
      data[to] = value * scale;
      data[to + 1] = isColored ? (rows[at + sampleBytes] ?? 0) : value * scale;
      data[to + 2] = isColored ? (rows[at + 2 * sampleBytes] ?? 0) : value * scale;
    }
  }
  return data;
}
