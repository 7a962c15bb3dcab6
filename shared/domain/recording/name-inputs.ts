import type { Json, JsonObject } from "../json.ts";
import { placeholder } from "../placeholder/fill-in.ts";

/** Shorter ones are found within other texts by chance. */
const charactersMin = 4;

const parted = new RegExp(`(${placeholder.source})`, "u");

/**
 * A recorded text in terms of the run's inputs: all of it where it equals one, else the parts that are one's value, the
 * longest first. What is in terms of something already stays.
 */
export function nameInputs(text: string, inputs: JsonObject): string {
  return named(text, inputs, ({ value }) => (value.length < charactersMin ? undefined : value));
}

/** The same of a text that is no prose: it is an input's value, or what it is in every run. */
export function nameWholeInput(text: string, inputs: JsonObject): string {
  return named(text, inputs, () => undefined);
}

/** The same of words about the screen, in which a value of any length counts where it stands as whole words, in any case. */
export function nameInputsInWords(text: string, inputs: JsonObject): string {
  return nameInputs(named(text, inputs, wholeWords), inputs);
}

/** @param separatorOf what stands for a value within a longer text; undefined where nothing does. */
function named(
  text: string,
  inputs: JsonObject,
  separatorOf: (value: NamedValue) => string | RegExp | undefined,
): string {
  const values = valuesOf(inputs);
  const whole = values.find(({ value }) => value === text);
  if (whole !== undefined) return `{${whole.name}}`;
  let parts: readonly string[] = text.split(parted);
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

/** Whether a text stands as whole words within words, in any case. */
export function standsIn(words: string, text: string): boolean {
  return wholeWords({ value: text }).test(words);
}

function wholeWords({ value }: Pick<NamedValue, "value">): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(value)}(?![\\p{L}\\p{N}_])`, "iu");
}

/** Escapes the characters that have a meaning in a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Longest first; those within an object under names with dots. */
function valuesOf(inputs: JsonObject): readonly NamedValue[] {
  const found: NamedValue[] = [];
  const visit = (name: string, value: Json): void => {
    if (typeof value === "string" || typeof value === "number") found.push({ name, value: String(value) });
    if (value === null || typeof value !== "object" || Array.isArray(value)) return;
    for (const [inner, each] of Object.entries(value)) visit(`${name}.${inner}`, each);
  };
  for (const [name, value] of Object.entries(inputs)) visit(name, value);
  return found.filter(({ value }) => value !== "").toSorted((a, b) => b.value.length - a.value.length);
}
