import { isSameSize, type Picture, type Size } from "./picture.ts";
import { type PictureCodec, UnreadablePicture } from "./picture-codec.ts";
import { sizeOfPng } from "./png.ts";

/** Three hundred pieces of the largest size. */
const pixelsMax = 16_000_000;

/** A PNG says its size in the first 24 bytes, so that one of another size is refused without reading the rest. */
const headerCharacters = 32;

/**
 * Pictures that somebody else has made, for one request: each is decoded once, and only if it is as large as it should
 * be, because a small file may be hundreds of megabytes of pixels.
 */
export class PiecePictures {
  readonly #codec: PictureCodec;
  readonly #decoded = new Map<string, Picture>();
  #pixels = 0;

  constructor(codec: PictureCodec) {
    this.#codec = codec;
  }

  /** @throws {UnreadablePicture} also when the pictures of the request are too many. */
  read(base64: string, size: Size): Picture {
    const known = this.#decoded.get(base64);
    if (known && isSameSize(known, size)) return known;
    const said = sizeOfPng(Buffer.from(base64.slice(0, headerCharacters), "base64"));
    if (said === undefined) throw new UnreadablePicture("cannot be read: it is no PNG");
    if (!isSameSize(said, size)) {
      throw new UnreadablePicture(
        `is ${said.width} x ${said.height} and should be ${size.width} x ${size.height}`,
      );
    }
    this.#pixels += size.width * size.height;
    if (this.#pixels > pixelsMax) {
      throw new UnreadablePicture(
        `cannot be read: a trajectory's pictures have ${pixelsMax} pixels together, at most`,
      );
    }
    const picture = this.#decode(Buffer.from(base64, "base64"));
    this.#decoded.set(base64, picture);
    return picture;
  }

  #decode(file: Uint8Array): Picture {
    try {
      return this.#codec.decode(file);
    } catch (error) {
      if (!(error instanceof UnreadablePicture)) throw error;
      throw new UnreadablePicture(`cannot be read: ${error.message}`, { cause: error });
    }
  }
}
