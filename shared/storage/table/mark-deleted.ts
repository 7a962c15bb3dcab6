import type { OrganizationId } from "../../domain/access/organization-id.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { DeletableKind } from "../../domain/maintenance/deletions.ts";
import { countWrite } from "./counters.ts";
import type { StoreDeps } from "./dynamo-table.ts";
import type { Change } from "./expression.ts";
import { living } from "./expression.ts";
import type { Key } from "./item.ts";
import { type Counted, deletionMark } from "./keys.ts";
import { transactIdempotent } from "./transact-idempotent.ts";

/**
 * Marks the entity as deleted and due, and removes it from the lists. Rows that point at it stay until it is removed,
 * and do not count.
 */
export function deletedChange(
  { kind, id, deletedAt }: Pick<Deletion, "kind" | "id" | "deletedAt">,
  remove: readonly string[],
): Change {
  return {
    set: deletionMark(kind, id, deletedAt),
    remove,
    add: { revision: 1 },
  };
}

export interface Deletion {
  readonly key: Key;
  readonly kind: DeletableKind;
  readonly counted: Counted;
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly deletedAt: string;
  readonly idempotency: Idempotency | undefined;
  /** Its attributes in the indexes that list it. */
  readonly remove: readonly string[];
}

/**
 * Hides an entity and decrements its counter in one transaction.
 *
 * @returns false when there is no such entity.
 * @throws {AlreadyOnRecord}
 */
export async function markDeleted({ table, clock }: StoreDeps, deletion: Deletion): Promise<boolean> {
  const { key, counted, idempotency, remove } = deletion;
  const outcome = await transactIdempotent(
    table,
    [
      { kind: "update", key, change: deletedChange(deletion, remove), condition: living },
      countWrite(counted, deletion, -1),
    ],
    { idempotency, result: null, nowMs: clock.now() },
  );
  return outcome.kind === "written";
}
