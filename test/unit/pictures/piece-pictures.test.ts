import { expect, it } from "vitest";
import { PiecePictures } from "../../../shared/domain/picture/piece-pictures.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";
import { Canvas } from "../../support/pictures/canvas.ts";

const size = { width: 320, height: 160 };

function counting() {
  let pixels = 0;
  const pictures = new PiecePictures({
    ...pngCodec,
    decode: (file) => {
      const picture = pngCodec.decode(file);
      pixels += picture.width * picture.height;
      return picture;
    },
  });
  return { pictures, decoded: () => pixels };
}

const inBase64 = (width: number, height: number, color: number) =>
  Buffer.from(pngCodec.encode(new Canvas(width, height, color))).toString("base64");

it("a picture of another size than its piece's is not decoded", () => {
  const { pictures, decoded } = counting();
  expect(() => pictures.read(inBase64(5_000, 4_700, 7), size)).toThrow(
    "is 5000 x 4700 and should be 320 x 160",
  );
  expect(decoded()).toBe(0);
});

it("pictures of one request are decoded once, and 16 megapixels at most", () => {
  const { pictures, decoded } = counting();
  const readAll = () => {
    for (let color = 0; color < 400; color += 1)
      pictures.read(inBase64(size.width, size.height, color), size);
  };
  expect(readAll).toThrow("16000000 pixels together");
  const first = decoded();
  expect(first).toBeGreaterThan(15_900_000);
  expect(first).toBeLessThanOrEqual(16_000_000);
  expect(pictures.read(inBase64(size.width, size.height, 3), size)).toMatchObject(size);
  expect(decoded()).toBe(first);
});
