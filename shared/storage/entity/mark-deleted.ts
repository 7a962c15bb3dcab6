import type { DeletableKind } from "../../domain/maintenance/deletions.ts";
import type { Change } from "../table/expression.ts";
import { dueRow } from "../table/index-keys.ts";

/** Rows that refer to the entity stay until it is removed, and do not count. */
export function deletedChange(
  { kind, id, deletedAt }: { readonly kind: DeletableKind; readonly id: string; readonly deletedAt: string },
  listed: readonly string[],
): Change {
  return {
    set: { deleted_at: deletedAt, ...dueRow(`DELETED#${kind}`, id, deletedAt) },
    remove: listed,
    add: { revision: 1 },
  };
}
