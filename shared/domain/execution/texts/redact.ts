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
