import type { SecretValues } from "../../secret-store.ts";

/** Shorter ones would be found by chance. */
const charactersMin = 4;

/** Replaces every secret's value by `{$alias}`, the longest first. */
export function redact(text: string, secrets: SecretValues): string {
  const values = Object.entries(secrets)
    .filter(([, value]) => value.length >= charactersMin)
    .toSorted(([, a], [, b]) => b.length - a.length);
  return values.reduce(
    (redacted, [alias, value]) =>
      [value, inJson(value)].reduce((said, form) => said.replaceAll(form, () => `{$${alias}}`), redacted),
    text,
  );
}

/** As an error or a program's output may quote it. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/**
 * The same in every text of it; the names of fields stay.
 *
 * @param apart fields whose texts are words of a format.
 */
export function redactJson<Value>(
  value: Value,
  secrets: SecretValues,
  apart: ReadonlySet<string> = new Set(),
): Value {
  if (typeof value === "string") return redact(value, secrets) as Value;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each) => redactJson(each, secrets, apart)) as Value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    apart.has(name) && typeof each === "string" ? each : redactJson(each, secrets, apart),
  ]);
  return Object.fromEntries(entries) as Value;
}
