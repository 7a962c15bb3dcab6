import type { Picture } from "./picture.ts";

export interface PictureCodec {
  /** @throws {UnreadablePicture} */
  decode(file: Uint8Array): Picture;
  encode(picture: Picture): Uint8Array<ArrayBuffer>;
}

export function pictureOf(codec: PictureCodec, base64: string): Picture {
  return codec.decode(Buffer.from(base64, "base64"));
}

export function inBase64(codec: PictureCodec, picture: Picture): string {
  return Buffer.from(codec.encode(picture)).toString("base64");
}

/** The file is broken, too large or unsupported, or not a picture. */
export class UnreadablePicture extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreadablePicture";
  }
}
