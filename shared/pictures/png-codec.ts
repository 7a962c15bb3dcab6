import type { PictureCodec } from "../domain/picture/picture-codec.ts";
import { decodePng } from "./decode-png.ts";
import { encodePng } from "./encode-png.ts";

export const pngCodec: PictureCodec = { decode: decodePng, encode: encodePng };
