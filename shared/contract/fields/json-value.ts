import * as z from "zod";
import { refuseValue } from "./common.ts";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Values come from a parsed JSON body, so they need no other check. */
export function jsonValue(bytesMax: number) {
  return z
    .custom<JsonValue>(() => true)
    .superRefine(requireBytes(bytesMax))
    .meta(bound(bytesMax));
}

export function jsonArray(bytesMax: number) {
  return z
    .array(z.custom<JsonValue>(() => true))
    .superRefine(requireBytes(bytesMax))
    .meta(bound(bytesMax));
}

export function jsonObject(bytesMax: number) {
  return z
    .record(
      z.string(),
      z.custom<JsonValue>(() => true),
    )
    .superRefine(requireBytes(bytesMax))
    .meta(bound(bytesMax));
}

function bound(bytesMax: number) {
  return { says: [`At most ${bytesMax.toLocaleString("en-US")} bytes of JSON.`] };
}

export function requireBytes(bytesMax: number) {
  return (value: unknown, context: z.core.$RefinementCtx): void => {
    const bytes = encodedBytes(value);
    if (bytes > bytesMax) refuseValue(context, `at most ${bytesMax} bytes of JSON, not ${bytes}`);
  };
}

export function encodedBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
