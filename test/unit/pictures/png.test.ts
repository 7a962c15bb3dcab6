import { describe, expect, it } from "vitest";
import { UnreadablePicture } from "../../../shared/domain/picture/picture-codec.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { aPng, chunk } from "../../support/pictures/a-png.ts";
import { decodePng as readByTheStandard } from "../../support/pictures/decode-png.ts";
import { noise } from "../../support/pictures/frames.ts";

const bytesOf = (count: number) => Array.from({ length: count }, (_, at) => noise(at, 7) & 0xff);
const read = (png: Uint8Array) => [...pngCodec.decode(png).data];

describe("a PNG that is read", () => {
  it.each([0, 1, 2, 3, 4])("has its pixels whatever the filter of its rows, here %i", (filter) => {
    const bytes = bytesOf(9 * 6 * 3);
    expect(read(aPng({ width: 9, height: 6, bytes, filters: [filter] }))).toEqual(bytes);
  });

  it("has its pixels where each row has another filter, and where its data comes in parts", () => {
    const bytes = bytesOf(9 * 11 * 3);
    const form = { width: 9, height: 11, bytes, filters: [4, 3, 2, 1, 0], parts: 3 };
    expect(read(aPng(form))).toEqual(bytes);
    expect(pngCodec.decode(aPng(form))).toMatchObject({ width: 9, height: 11 });
  });

  it.each([1, 3, 4])("has a filter over pixels of other sizes too, here %i", (filter) => {
    const bytes = bytesOf(5 * 4 * 4);
    const colors = bytes.filter((_, at) => at % 4 !== 3);
    expect(read(aPng({ width: 5, height: 4, colorType: 6, bytes, filters: [filter] }))).toEqual(colors);
  });

  it.each([
    ["grey", { colorType: 0, bytes: [7, 250] }, [7, 7, 7, 250, 250, 250]],
    ["grey of two bits", { colorType: 0, bits: 2, bytes: [0b01_11_0000] }, [85, 85, 85, 255, 255, 255]],
    ["grey of one bit", { colorType: 0, bits: 1, bytes: [0b10_000000] }, [255, 255, 255, 0, 0, 0]],
    ["grey of 16 bits", { colorType: 0, bits: 16, bytes: [9, 200, 8, 100] }, [9, 9, 9, 8, 8, 8]],
    ["grey with alpha", { colorType: 4, bytes: [7, 0, 250, 255] }, [7, 7, 7, 250, 250, 250]],
    ["RGB of 16 bits", { bits: 16, bytes: [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0] }, [1, 2, 3, 4, 5, 6]],
    ["RGBA", { colorType: 6, bytes: [1, 2, 3, 255, 4, 5, 6, 0] }, [1, 2, 3, 4, 5, 6]],
    ["a palette", { colorType: 3, bytes: [1, 0], palette: [1, 2, 3, 4, 5, 6] }, [4, 5, 6, 1, 2, 3]],
    [
      "a palette of four bits",
      { colorType: 3, bits: 4, bytes: [0x01], palette: [1, 2, 3, 4, 5, 6] },
      [1, 2, 3, 4, 5, 6],
    ],
  ])("may be of %s", (_what, form, pixels) => {
    expect(read(aPng({ width: 2, height: 1, ...form }))).toEqual(pixels);
  });
});

describe("what is refused as unreadable", () => {
  const whole = Buffer.from(aPng({ width: 3, height: 2, bytes: bytesOf(18) }));
  const header = (width: number, height: number) => {
    const content = Buffer.alloc(13);
    content.writeUInt32BE(width, 0);
    content.writeUInt32BE(height, 4);
    content.set([8, 2, 0, 0, 0], 8);
    return Buffer.concat([whole.subarray(0, 8), chunk("IHDR", content), whole.subarray(33)]);
  };
  const flipped = Buffer.from(whole);
  flipped[flipped.length - 20] = (flipped[flipped.length - 20] ?? 0) ^ 1;

  it.each([
    ["nothing", Buffer.alloc(0), /no PNG/],
    ["a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]), /no PNG/],
    ["a PNG without its end", whole.subarray(0, -12), /ends early/],
    ["a PNG cut in its data", whole.subarray(0, -20), /ends early/],
    ["a flipped bit", flipped, /checksum/],
    ["more rows than it says", header(3, 1), /broken or longer/],
    ["fewer rows than it says", header(3, 3), /shorter/],
    ["no pixels", header(0, 3), /no pixels/],
    ["41 megapixels, before they are inflated", header(41_000, 1_000), /at most 40000000/],
    ["interlacing", aPng({ width: 1, height: 1, bytes: [1, 2, 3], interlace: 1 }), /interlaced/],
    [
      "a filter that there is not",
      aPng({ width: 1, height: 1, bytes: [1, 2, 3], filters: [5] }),
      /filter of type 5/,
    ],
    ["a palette that is not there", aPng({ width: 1, height: 1, bytes: [0], colorType: 3 }), /no palette/],
    ["a depth that there is not", aPng({ width: 1, height: 1, bytes: [0, 0, 0], bits: 3 }), /form/],
    ["no header", Buffer.concat([whole.subarray(0, 8), whole.subarray(33)]), /without a header/],
  ])("%s", (_what, file, message) => {
    expect(() => pngCodec.decode(file)).toThrow(UnreadablePicture);
    expect(() => pngCodec.decode(file)).toThrow(message);
  });
});

describe("a PNG that is written", () => {
  it("shows the picture pixel by pixel, to this reader and to one by the standard", () => {
    const picture = { width: 17, height: 9, data: Uint8Array.from(bytesOf(17 * 9 * 3)) };
    const png = pngCodec.encode(picture);
    expect(pngCodec.decode(png)).toEqual(picture);
    const { colors } = readByTheStandard(png);
    expect(colors.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff])).toEqual([
      ...picture.data,
    ]);
  });
});
