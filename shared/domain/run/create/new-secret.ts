import type { SecretValues } from "../../secret-store.ts";
import type { Run } from "../run.ts";
import type { NewSecret } from "../run-store.ts";

export function newSecret(id: string, values: SecretValues): NewSecret | undefined {
  return Object.keys(values).length === 0 ? undefined : { id, values };
}

export function sensitiveFields(secret: NewSecret | undefined): Pick<Run, "secretId" | "sensitiveAliases"> {
  return { secretId: secret?.id ?? null, sensitiveAliases: Object.keys(secret?.values ?? {}) };
}

/** A step's own values are named by its number and alias; no alias of a chain begins with a number. */
export function chainSecret(shared: SecretValues, own: readonly SecretValues[]): SecretValues {
  const ofSteps = own.flatMap((values, step) =>
    Object.entries(values).map(([alias, value]) => [nameOf(step, alias), value] as const),
  );
  return { ...shared, ...Object.fromEntries(ofSteps) };
}

export function ownSecretValues(
  { chainStep, sensitiveAliases }: Pick<Run, "chainStep" | "sensitiveAliases">,
  values: SecretValues,
): SecretValues | undefined {
  const own: [string, string][] = [];
  for (const alias of sensitiveAliases) {
    const ofStep = chainStep === null ? undefined : valueIn(values, nameOf(chainStep, alias));
    const value = ofStep ?? valueIn(values, alias);
    if (value === undefined) return undefined;
    own.push([alias, value]);
  }
  return Object.fromEntries(own);
}

function nameOf(step: number, alias: string): string {
  return `#${step}#${alias}`;
}

function valueIn(values: SecretValues, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
