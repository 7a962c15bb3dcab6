import type { Clock } from "../clock.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { SecretStore } from "../secret-store.ts";
import { forEachBounded } from "./bounded-parallel.ts";

/** Beyond any request or take-over that may still be about to name its secret. */
export const unnamedSecretAgeMs = 24 * 3_600_000;

/** Whose secret it is, as its name says. */
export interface SecretOwner {
  readonly organizationId: string;
  readonly machineId: string;
}

export interface RemoveUnnamedSecretsDeps {
  readonly machines: Pick<MachineStore, "find" | "findDeleted">;
  readonly secrets: Pick<SecretStore, "listOlderThan" | "remove">;
  /** Undefined for a name whose owner cannot be told: it is left alone. */
  readonly secretOwner: (name: string) => SecretOwner | undefined;
  readonly clock: Clock;
}

export interface RemovedSecrets {
  readonly removed: number;
  /** Where the next run goes on; absent when the end was reached. */
  readonly cursor?: string;
}

/** Looks at one page of old secrets, and removes those that their machine does not name (any more). */
export async function removeUnnamedSecrets(
  deps: RemoveUnnamedSecretsDeps,
  cursor: string | undefined,
): Promise<RemovedSecrets> {
  const page = await deps.secrets.listOlderThan(deps.clock.now() - unnamedSecretAgeMs, cursor);
  let removed = 0;
  await forEachBounded(page.names, async (name) => {
    if (await isNamed(deps, name)) return;
    await deps.secrets.remove(name);
    removed += 1;
  });
  return { removed, ...(page.cursor !== undefined && { cursor: page.cursor }) };
}

async function isNamed(deps: RemoveUnnamedSecretsDeps, name: string): Promise<boolean> {
  const owner = deps.secretOwner(name);
  if (!owner) return true;
  const { organizationId, machineId } = owner;
  const machine =
    (await deps.machines.find(organizationId, machineId)) ??
    (await deps.machines.findDeleted(organizationId, machineId));
  return machine?.secretName === name;
}
