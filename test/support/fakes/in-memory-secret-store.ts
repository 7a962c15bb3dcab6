import type { Clock } from "../../../shared/domain/clock.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { SecretOwner, SecretStore, SecretValues } from "../../../shared/domain/secret-store.ts";
import { secretName } from "../../../shared/secrets/secret-name.ts";
import { testTableId } from "./in-memory-file-store.ts";

interface StoredSecret {
  readonly values: SecretValues;
  readonly createdAtMs: number;
  readonly tableId: string | undefined;
}

export class InMemorySecretStore implements SecretStore {
  readonly #clock: Pick<Clock, "now">;
  readonly #rows = new Map<string, StoredSecret>();
  tableId: string | undefined = testTableId;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  secretName(organizationId: OrganizationId, owner: SecretOwner, id: string): string {
    return secretName("test", organizationId, owner, id);
  }

  async create(name: string, values: SecretValues): Promise<void> {
    const known = this.#rows.get(name);
    if (known && JSON.stringify(known.values) !== JSON.stringify(values)) {
      throw new Error("a secret is never changed: there is one of this name with other values");
    }
    if (known) return;
    const made = { createdAtMs: this.#clock.now(), tableId: this.tableId };
    this.#rows.set(name, { values: structuredClone(values), ...made });
  }

  async read(name: string): Promise<SecretValues | undefined> {
    return structuredClone(this.#rows.get(name)?.values);
  }

  async remove(name: string): Promise<void> {
    this.#rows.delete(name);
  }

  async listOlderThan({
    tableId,
    createdBeforeMs,
  }: Parameters<SecretStore["listOlderThan"]>[0]): ReturnType<SecretStore["listOlderThan"]> {
    const old = [...this.#rows].filter(
      ([, row]) => row.tableId === tableId && row.createdAtMs < createdBeforeMs,
    );
    return { names: old.map(([name]) => name) };
  }

  values(name: string): SecretValues | undefined {
    return this.#rows.get(name)?.values;
  }

  names(): readonly string[] {
    return [...this.#rows.keys()];
  }
}
