import { endedDue } from "../../shared/storage/run/run-end.ts";
import type { Change, Condition } from "../../shared/storage/table/expression.ts";
import type { Item } from "../../shared/storage/table/item.ts";

/** Rows that an earlier release wrote, to be written as today's does. */
export interface Backfill {
  readonly about: string;
  /** Of the rows. */
  readonly kind: string;
  /** Undefined for a row that is as it should be. The condition is that it still is not: the service goes on meanwhile. */
  readonly writeOf: (row: Item) => { readonly change: Change; readonly condition: Condition } | undefined;
}

/** One is removed a release after the last row could need it. */
export const backfills: Readonly<Record<string, Backfill>> = {
  "ended-runs": {
    about: "ended runs get the attributes by which the sweeper finds those older than runDays",
    kind: "run",
    writeOf: ({ id, ended_at: endedAt, deleted_at: deletedAt, due_pk: due, secret_id: secretId }) => {
      if (typeof endedAt !== "string" || deletedAt !== undefined || due !== undefined) return undefined;
      return {
        change: { set: endedDue(String(id), endedAt, secretId !== undefined) },
        condition: {
          expression:
            "attribute_not_exists(due_pk) AND attribute_not_exists(deleted_at) AND ended_at = :ended",
          values: { ended: endedAt },
        },
      };
    },
  },
};
