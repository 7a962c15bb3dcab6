import type { Json, JsonObject } from "../json.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { nameInputs } from "./name-inputs.ts";
import { screenTimeoutMs } from "./record-element.ts";

/** A model decides an output that has anything but inputs and saved values. */
export function finishOf(value: Json, inputs: JsonObject): TrajectoryElement {
  let isOwn = true;
  const named = (each: Json): Json => {
    if (each === null) return null;
    if (typeof each === "object") {
      const entries = Object.entries(each as JsonObject).map(
        ([name, inner]) => [name, named(inner)] as const,
      );
      return Array.isArray(each) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
    }
    const text = nameInputs(String(each), inputs);
    if (/^\{[^{}]+\}$/.test(text)) return text;
    isOwn = false;
    return each;
  };
  const action = { type: "finish", output: named(value) } as const;
  return { action, by: isOwn ? "replay" : "model", timeoutMs: screenTimeoutMs };
}
