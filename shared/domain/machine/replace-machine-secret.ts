import type { Claim } from "../idempotency/claim.ts";
import type { SecretValues } from "../secret-store.ts";
import type { Machine } from "./machine.ts";
import { type MachineDeps, machineNotFound } from "./machine-deps.ts";
import { removeSecret, withSecrets, writeSecret } from "./machine-secret.ts";
import type { MachineChange, UpdateMachineOutcome } from "./machine-store.ts";
import { requireUpdated } from "./update-outcome.ts";

/** A driver's ping changes the machine as well: so often is it read anew before the caller is asked to repeat. */
const attemptsMax = 4;

interface Target {
  readonly organizationId: string;
  readonly machineId: string;
}

/**
 * Changes a machine together with its secrets: the new secret is written, then the machine names it, then the old
 * one goes. A crash anywhere leaves a secret that nothing names, never a name without its secret.
 *
 * @throws {DomainError} `not_found`, `machine_reserved`, `conflict` or `rate_limited`.
 * @throws {ClaimTaken}
 */
export async function replaceMachineSecret(
  deps: MachineDeps,
  target: Target,
  change: MachineChange,
  values: SecretValues,
  claim: Claim | undefined,
): Promise<Machine> {
  return withSecrets(deps, claim, async (held, abandon) => {
    const before = await find(deps, target);
    if (before === undefined) throw machineNotFound(target.machineId);
    const id = held?.ids[1] ?? deps.ids.uuid7();
    const secret = await writeSecret(deps, { ...target, id }, values);
    const { outcome, before: replaced } = await write(deps, target, { ...change, ...secret }, before, held);
    // Read anew after a write whose answer was lost, the machine names the new secret already.
    const isOwn = replaced.secretName === secret.secretName;
    if (!isOwn && outcome.kind === "updated") await removeSecret(deps, replaced.secretName);
    if (!isOwn && outcome.kind !== "updated") abandon(secret.secretName);
    return requireUpdated(target.machineId, outcome);
  });
}

interface Written {
  readonly outcome: UpdateMachineOutcome;
  /** As it was when it was last read. */
  readonly before: Machine;
}

/** On the revision that was read, so that the secret which this write replaces is known for sure. */
async function write(
  deps: MachineDeps,
  target: Target,
  change: MachineChange,
  first: Machine,
  held: Claim | undefined,
): Promise<Written> {
  let before = first;
  for (let attempt = 1; ; attempt += 1) {
    const options = { revision: before.revision, ...(held && { claim: held }) };
    const outcome = await deps.machines.update(target.organizationId, target.machineId, change, options);
    if (outcome.kind !== "changed") return { outcome, before };
    const current = await find(deps, target);
    if (current === undefined) return { outcome: { kind: "not_found" }, before };
    before = current;
    if (attempt === attemptsMax) return { outcome, before };
  }
}

function find(deps: MachineDeps, { organizationId, machineId }: Target): Promise<Machine | undefined> {
  return deps.machines.find(organizationId, machineId);
}
