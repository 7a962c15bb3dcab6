import { inputBytesMax } from "../../../vocabulary/runs.ts";
import { type JsonObject, jsonBytes } from "../../json.ts";

export function tooLarge(inputs: JsonObject): string | undefined {
  const bytes = jsonBytes(inputs);
  return bytes <= inputBytesMax
    ? undefined
    : `the inputs take ${bytes} bytes of JSON, more than ${inputBytesMax}`;
}
