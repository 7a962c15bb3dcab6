import type { Logger } from "../logger.ts";
import { type InheritedSecretDeps, inheritedSecretValues } from "../run/inputs/inherited-secret-values.ts";
import { runSecretValues } from "../run/inputs/run-secret-values.ts";
import type { Run } from "../run/run.ts";
import type { RunStore } from "../run/run-store.ts";
import type { SecretValues } from "../secret-store.ts";
import { redact } from "../secrets/redact.ts";

interface SecretsOfRunDeps extends InheritedSecretDeps {
  readonly runs: Pick<RunStore, "readSecret">;
  readonly logger: Logger;
}

/** Returns undefined when a secret is unavailable, and then no text can be shown. */
export async function secretsOfRun(deps: SecretsOfRunDeps, run: Run): Promise<SecretValues | undefined> {
  const aliases = [...run.sensitiveAliases, ...Object.keys(run.inheritedSecrets)];
  if (aliases.length === 0) return {};
  const [own, inherited] = await Promise.all([runSecretValues(deps, run), inheritedSecretValues(deps, run)]);
  const values = { ...inherited, ...own };
  return aliases.every((alias) => Object.hasOwn(values, alias)) ? values : undefined;
}

/** A whole text that equals a secret is removed, however short. */
export function withoutSecrets(text: string, secrets: SecretValues): string {
  const whole = Object.entries(secrets).find(([, value]) => value === text);
  return whole === undefined ? redact(text, secrets) : `{$${whole[0]}}`;
}
