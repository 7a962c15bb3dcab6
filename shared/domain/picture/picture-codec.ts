import type { Picture } from "./picture.ts";

/** Files of pictures in and out. */
export interface PictureCodec {
  /** @throws {UnreadablePicture} */
  decode(file: Uint8Array): Picture;
  encode(picture: Picture): Uint8Array<ArrayBuffer>;
}

/** A file that is no picture, is broken or too large, or has a form that is not read. */
export class UnreadablePicture extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreadablePicture";
  }
}
