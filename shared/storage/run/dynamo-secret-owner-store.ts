import * as z from "zod";
import type { SecretOwner } from "../../domain/run/run.ts";
import type { OwnedSecret, SecretOwnerStore } from "../../domain/run/inputs/secret-owner-store.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { machineKey, poolKey } from "../table/keys.ts";

const OwnerRow = z.object({
  kind: z.enum(["machine", "pool"]),
  id: z.string(),
  secret_name: z.string().optional(),
  deleted_at: z.string().optional(),
});

export class DynamoSecretOwnerStore implements SecretOwnerStore {
  readonly #table: DynamoTable;

  constructor({ table }: { readonly table: DynamoTable }) {
    this.#table = table;
  }

  async read(organizationId: string, owners: readonly SecretOwner[]): Promise<readonly OwnedSecret[]> {
    const keys = owners.map(({ kind, id }) =>
      kind === "machine" ? machineKey(organizationId, id) : poolKey(organizationId, id),
    );
    const items = await this.#table.batchGet(keys, Object.keys(OwnerRow.shape));
    return items.flatMap((item) => {
      const { kind, id, secret_name: secretName, deleted_at } = OwnerRow.parse(item);
      return secretName === undefined || deleted_at !== undefined ? [] : [{ kind, id, secretName }];
    });
  }
}
