import type { Picture } from "./picture.ts";

export interface PictureCodec {
  /** @throws {UnreadablePicture} */
  decode(file: Uint8Array): Picture;
  encode(picture: Picture): Uint8Array<ArrayBuffer>;
}

/** The file is broken, too large, no picture, or has an unsupported form. */
export class UnreadablePicture extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreadablePicture";
  }
}
