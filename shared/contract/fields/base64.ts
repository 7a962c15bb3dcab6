import * as z from "zod";
import { refuseValue } from "./common.ts";

export function base64Bytes(text: string): number {
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}

/** Up to two more bytes encode to the same number of characters. */
export function base64Characters(bytesMax: number): number {
  return 4 * Math.ceil(bytesMax / 3);
}

/** @param instead names the way to send larger content. */
export function base64Content(bytesMax: number, instead = "") {
  return z
    .base64()
    .max(base64Characters(bytesMax))
    .superRefine((text, context) => {
      const bytes = base64Bytes(text);
      if (bytes <= bytesMax) return;
      const error = `at most ${bytesMax} bytes, not ${bytes}${instead}`;
      refuseValue(context, error);
    })
    .meta({ says: [`At most ${bytesMax.toLocaleString("en-US")} bytes before base64.`] });
}
