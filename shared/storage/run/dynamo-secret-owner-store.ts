import type { OrganizationId } from "../../domain/organization-id.ts";
import type { OwnedSecret, SecretOwnerStore } from "../../domain/run/inputs/inherited-secret-values.ts";
import type { SecretOwner } from "../../domain/run/run.ts";
import { machineRow } from "../machine/machine-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { machineKey, poolKey } from "../table/keys.ts";

/** Pools store these fields like machines. */
const owner = machineRow.pick("id", "secretName", "deletedAt");

export class DynamoSecretOwnerStore extends DynamoStore implements SecretOwnerStore {
  async read(
    organizationId: OrganizationId,
    owners: readonly SecretOwner[],
  ): Promise<readonly OwnedSecret[]> {
    const keys = owners.map(({ kind, id }) =>
      kind === "machine" ? machineKey(organizationId, id) : poolKey(organizationId, id),
    );
    const items = await this.table.batchGet(keys, ["kind", ...owner.attributes()]);
    return items.flatMap((item) => {
      const { id, secretName, deletedAt } = owner.parse(item);
      const kind = item.kind === "pool" ? "pool" : "machine";
      return secretName === null || deletedAt !== null ? [] : [{ kind, id, secretName }];
    });
  }
}
