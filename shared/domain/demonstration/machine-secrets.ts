import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import { DomainError } from "../errors.ts";
import { InvalidInput, valueError } from "../invalid-input.ts";
import type { Machine } from "../machine/machine.ts";
import { type InheritedSecretDeps, inheritedSecretValues } from "../run/inputs/inherited-secret-values.ts";
import type { SecretValues } from "../secret-store.ts";

export type MachineSecretDeps = InheritedSecretDeps;

type SecretMachine = Pick<Machine, "organizationId" | "id" | "sensitiveAliases">;

/** Returns undefined when a secret is unavailable, and then no text can be shown. */
export async function machineSecrets(
  deps: MachineSecretDeps,
  { organizationId, id, sensitiveAliases }: SecretMachine,
): Promise<SecretValues | undefined> {
  const owner = { kind: "machine", id } as const;
  const inheritedSecrets = Object.fromEntries(sensitiveAliases.map((alias) => [alias, owner]));
  const values = await inheritedSecretValues(deps, { organizationId, inheritedSecrets });
  return sensitiveAliases.every((alias) => Object.hasOwn(values, alias)) ? values : undefined;
}

/**
 * @param loc is the text's place in the request.
 * @throws {InvalidInput} for a secret that the machine does not have. @throws {DomainError} `service_unavailable`
 */
export async function fillInSecrets(
  deps: MachineSecretDeps,
  machine: SecretMachine,
  text: string,
  loc: readonly (string | number)[],
): Promise<string> {
  const secrets = await machineSecrets(deps, machine);
  if (secrets === undefined) {
    throw new DomainError(
      "service_unavailable",
      "the machine's secrets cannot be read now; nothing was typed",
      {
        nothingDone: true,
      },
    );
  }
  let filled = "";
  let from = 0;
  for (const { at, whole, name, isSecret } of placeholdersIn(text)) {
    if (!isSecret) continue;
    const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (value === undefined) {
      const error = `the machine has no secret $${name}: its machine_sensitive_parameters name those that it has`;
      throw new InvalidInput([valueError(loc, error)]);
    }
    filled += text.slice(from, at) + value;
    from = at + whole.length;
  }
  return filled + text.slice(from);
}
