import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import { DomainError } from "../errors.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import type { Machine } from "../machine/machine.ts";
import { secretOf } from "../placeholder/fill-in.ts";
import { type InheritedSecretDeps, secretValuesOf } from "../run/inputs/inherited-secret-values.ts";
import type { SecretOwner } from "../run/run.ts";
import type { SecretValues } from "../secret-store.ts";
import { type CurrentCodeDeps, currentCode } from "../secrets/current-code.ts";

export type MachineSecretDeps = InheritedSecretDeps;

type SecretMachine = Pick<Machine, "organizationId" | "id" | "sensitiveAliases" | "poolIds">;

/**
 * The machine's secrets and those of its pools, as a run on it in those pools would have them.
 *
 * Returns undefined when a secret is unavailable, and then no text can be shown.
 */
export async function machineSecrets(
  deps: MachineSecretDeps,
  { organizationId, id, sensitiveAliases, poolIds }: SecretMachine,
): Promise<SecretValues | undefined> {
  const machines: readonly SecretOwner[] = sensitiveAliases.length === 0 ? [] : [{ kind: "machine", id }];
  const owners = [...machines, ...poolIds.map((poolId) => ({ kind: "pool", id: poolId }) as const)];
  if (owners.length === 0) return {};
  const values = await secretValuesOf(deps, organizationId, owners);
  const isWhole = values !== undefined && sensitiveAliases.every((alias) => Object.hasOwn(values, alias));
  return isWhole ? values : undefined;
}

/**
 * Fills in secrets as `{$alias}`, and the current one-time code of a seed as `{$alias.totp}`.
 *
 * @param loc is the text's place in the request.
 * @throws {InvalidInput} for a secret that there is not, or that is no seed. @throws {DomainError} `service_unavailable`
 */
export async function fillInSecrets(
  deps: MachineSecretDeps & CurrentCodeDeps,
  machine: SecretMachine,
  text: string,
  loc: readonly (string | number)[],
): Promise<string> {
  const secrets = await machineSecrets(deps, machine);
  if (secrets === undefined) {
    const words = "the machine's secrets cannot be read now; nothing was typed";
    throw new DomainError("service_unavailable", words, { nothingDone: true });
  }
  const refuse = (error: string) => new InvalidInput([valueError(loc, error)]);
  const aliases = new Set(Object.keys(secrets));
  let filled = "";
  let from = 0;
  for (const { at, whole, name, isSecret } of placeholdersIn(text)) {
    if (!isSecret) continue;
    const named = secretOf(name, aliases);
    if (named === undefined) {
      throw refuse(
        `neither the machine nor a pool that it is in has a secret $${name}: machine_sensitive_parameters and pool_sensitive_parameters name those that there are`,
      );
    }
    const value = secrets[named.alias] ?? "";
    const typed = named.isCode ? await currentCode(deps, value) : value;
    if (typed === undefined) {
      throw refuse(`{$${named.alias}} is no seed of one-time codes: base32 or an otpauth:// address`);
    }
    filled += text.slice(from, at) + typed;
    from = at + whole.length;
  }
  return filled + text.slice(from);
}
