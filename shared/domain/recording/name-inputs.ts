import { placeholder } from "../../vocabulary/placeholders.ts";
import type { Json, JsonObject } from "../json.ts";
import { leavesOf } from "../trajectory/recorded-inputs.ts";
import type { TrajectoryElement } from "../trajectory/trajectory-element.ts";
import { screenTimeoutMs } from "./record-element.ts";

/** Shorter values match other texts by chance. */
const charactersMin = 4;

const parted = () => new RegExp(`(${placeholder().source})`, "u");

export function nameInputs(text: string, inputs: JsonObject): string {
  return named(text, inputs, ({ value }) => (value.length < charactersMin ? undefined : value));
}

/** A text that is not prose is a whole input's value, or the same in every run. */
export function nameWholeInput(text: string, inputs: JsonObject): string {
  return named(text, inputs, () => undefined);
}

/** Words about the screen may name a value of any length, as whole words in any case. */
export function nameInputsInWords(text: string, inputs: JsonObject): string {
  return nameInputs(named(text, inputs, wholeWords), inputs);
}

/** @param separatorOf returns the delimiter of a value within a longer text, or undefined if it is never replaced. */
function named(
  text: string,
  inputs: JsonObject,
  separatorOf: (value: NamedValue) => string | RegExp | undefined,
): string {
  const values = valuesOf(inputs);
  const whole = values.find(({ value }) => value === text);
  if (whole !== undefined) return `{${whole.name}}`;
  let parts: readonly string[] = text.split(parted());
  for (const each of values) {
    const separator = separatorOf(each);
    if (separator === undefined) continue;
    // Every second part is a placeholder.
    parts = parts.flatMap((part, at) => {
      if (at % 2 === 1) return [part];
      return part
        .split(separator)
        .flatMap((rest, index) => (index === 0 ? [rest] : [`{${each.name}}`, rest]));
    });
  }
  return parts.join("");
}

export function standsIn(words: string, text: string): boolean {
  return wholeWords({ value: text }).test(words);
}

function wholeWords({ value }: Pick<NamedValue, "value">): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(value)}(?![\\p{L}\\p{N}_])`, "iu");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

function valuesOf(inputs: JsonObject): readonly NamedValue[] {
  const isText = (value: Json) => typeof value === "string" || typeof value === "number";
  return leavesOf(inputs)
    .filter(({ value }) => isText(value) && value !== "")
    .map(({ name, value }) => ({ name, value: String(value) }))
    .toSorted((a, b) => b.value.length - a.value.length);
}

/** A model decides an output that has more than inputs and saved values. */
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
