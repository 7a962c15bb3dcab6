import { type JsonObject, jsonBytes } from "../../json.ts";

/** Largest inputs of a run, in bytes of JSON: as sent, and also after merging and resolving. */
export const inputBytesMax = 65_536;

/** The error message when they are larger. */
export function tooLarge(inputs: JsonObject): string | undefined {
  const bytes = jsonBytes(inputs);
  return bytes <= inputBytesMax
    ? undefined
    : `the inputs take ${bytes} bytes of JSON, more than ${inputBytesMax}`;
}
