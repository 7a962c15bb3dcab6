import type { SecretValues } from "../../secret-store.ts";
import type { Run } from "../run.ts";

/**
 * The one secret of a chain: shared values under their aliases, a step's own under its number and alias. No alias of a
 * chain begins like that.
 *
 * @param own by step.
 */
export function chainSecret(shared: SecretValues, own: readonly SecretValues[]): SecretValues {
  const ofSteps = own.flatMap((values, step) =>
    Object.entries(values).map(([alias, value]) => [nameOf(step, alias), value] as const),
  );
  return { ...shared, ...Object.fromEntries(ofSteps) };
}

/**
 * The run's own values from a secret that it may share, by alias. Undefined when one is missing.
 */
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
