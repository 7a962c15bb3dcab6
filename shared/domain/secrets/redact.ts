import type { SecretValues } from "../secret-store.ts";

/** Shorter values would match by chance. */
const charactersMin = 4;

/** The longest values are replaced first. */
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

/** Errors and programs' output may quote the value. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** @param apart has the fields whose texts belong to a format. */
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
