import { crc32, inflateSync } from "node:zlib";

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, rows from the top. */
  readonly colors: readonly number[];
  readonly filters: readonly number[];
}

/** The neighbours' prediction of a byte, by filter type. Source: https://www.w3.org/TR/png-3/#9Filters */
const predictions: readonly ((left: number, above: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => Math.floor((left + above) / 2),
];

export function decodePng(png: Uint8Array): DecodedPng {
  const bytes = Buffer.from(png);
  const chunks = chunksOf(bytes);
  const header = chunks.get("IHDR");
  const data = chunks.get("IDAT");
  if (header === undefined || data === undefined) throw new Error("the PNG has no header or no data");
  if (header.subarray(8).toString("hex") !== "0802000000") throw new Error("the PNG is not 8 bits RGB");
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const stride = 1 + width * 3;
  const raw = inflateSync(data);
  if (raw.byteLength !== stride * height) throw new Error("the PNG's data is not as long as its size says");
  const filters: number[] = [];
  const colors: number[] = [];
  let above = Buffer.alloc(width * 3);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * stride] ?? Number.NaN;
    const row = Buffer.from(raw.subarray(y * stride + 1, (y + 1) * stride));
    const predict = predictions[filter];
    if (predict === undefined) throw new Error(`filter ${filter} is not known here`);
    for (let at = 0; at < row.length; at += 1) {
      row[at] = (row[at] ?? 0) + predict(row[at - 3] ?? 0, above[at] ?? 0);
    }
    for (let at = 0; at < row.length; at += 3) colors.push(row.readUIntBE(at, 3));
    filters.push(filter);
    above = row;
  }
  return { width, height, colors, filters };
}

function chunksOf(bytes: Buffer): ReadonlyMap<string, Buffer> {
  if (bytes.toString("hex", 0, 8) !== "89504e470d0a1a0a") throw new Error("it is no PNG");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      throw new Error("a checksum is wrong");
    chunks.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  if ([...chunks.keys()].at(-1) !== "IEND") throw new Error("the PNG has no end");
  return chunks;
}
