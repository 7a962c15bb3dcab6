import { placeholder } from "../../execution/texts/fill-in.ts";
import type { Json, JsonObject } from "../../json.ts";

/** Shorter ones are found within other texts by chance. */
const charactersMin = 4;

const parted = new RegExp(`(${placeholder.source})`, "u");

/**
 * A recorded text in terms of the run's inputs: all of it where it equals one, else the parts that are one's value, the
 * longest first. What is in terms of something already stays.
 */
export function nameInputs(text: string, inputs: JsonObject): string {
  const values = valuesOf(inputs);
  const whole = values.find(({ value }) => value === text);
  if (whole !== undefined) return `{${whole.name}}`;
  let parts: readonly string[] = text.split(parted);
  for (const { name, value } of values) {
    if (value.length < charactersMin) continue;
    // Every second part is a placeholder.
    parts = parts.flatMap((part, at) => {
      if (at % 2 === 1) return [part];
      return part.split(value).flatMap((rest, index) => (index === 0 ? [rest] : [`{${name}}`, rest]));
    });
  }
  return parts.join("");
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
