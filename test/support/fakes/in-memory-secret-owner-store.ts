import type { MachineStore } from "../../../shared/domain/machine/machine-store.ts";
import type { PoolStore } from "../../../shared/domain/pool/pool-store.ts";
import type { SecretOwnerStore } from "../../../shared/domain/run/inputs/secret-owner-store.ts";
import type { SecretOwner } from "../../../shared/domain/run/run.ts";

export class InMemorySecretOwnerStore implements SecretOwnerStore {
  readonly #machines: Pick<MachineStore, "find">;
  readonly #pools: Pick<PoolStore, "find">;

  constructor(machines: Pick<MachineStore, "find">, pools: Pick<PoolStore, "find">) {
    this.#machines = machines;
    this.#pools = pools;
  }

  async read(organizationId: string, owners: readonly SecretOwner[]) {
    const found = await Promise.all(
      owners.map(async ({ kind, id }) => {
        const store = kind === "machine" ? this.#machines : this.#pools;
        return { kind, id, secretName: (await store.find(organizationId, id))?.secretName ?? null };
      }),
    );
    return found.flatMap(({ secretName, ...owner }) =>
      secretName === null ? [] : [{ ...owner, secretName }],
    );
  }
}
