import type { Look } from "../../desktop/desktop.ts";
import type { Picture } from "../../picture/picture.ts";
import type { PictureCodec } from "../../picture/picture-codec.ts";

/** A desktop may wait this long for a still screen, in milliseconds; a spinner takes all of it. */
export const settleMs = 1_000;

export class Screen {
  readonly png: Uint8Array;
  readonly isSettled: boolean;
  readonly #codec: PictureCodec;
  #picture: Picture | undefined;

  constructor(codec: PictureCodec, look: Look) {
    this.#codec = codec;
    this.png = look.png;
    this.isSettled = look.isSettled;
  }

  /** @throws {UnreadablePicture} */
  get picture(): Picture {
    this.#picture ??= this.#codec.decode(this.png);
    return this.#picture;
  }
}
