import type { OrganizationId } from "../../domain/access/organization-id.ts";
import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Run } from "../../domain/run/run.ts";
import { isTerminal, terminalStatuses } from "../../domain/run/run-status.ts";
import { countWrite } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { type Condition, isLiving, living } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import type { Item } from "../table/item.ts";
import { runKey } from "../table/keys.ts";
import { deletedChange } from "../table/mark-deleted.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { writeRunEnd } from "./run-end.ts";
import { parseRun } from "./run-item.ts";

/** How often a run may change between two attempts. */
const attemptsMax = 8;

/**
 * Hides a run in one transaction, which also cancels a run that has not ended, with all that follows from that. The
 * first attempt assumes that it has ended; its failed condition shows otherwise.
 *
 * @returns false when there is no such run.
 * @throws {AlreadyOnRecord}
 */
export async function markRunDeleted(
  table: DynamoTable,
  run: { readonly organizationId: OrganizationId; readonly id: string },
  deletedAt: string,
  idempotency: Idempotency | undefined,
  nowMs: number,
): Promise<boolean> {
  const once = { idempotency, result: null, nowMs };
  const count = countWrite("RUN", run, -1);
  const key = runKey(run.organizationId, run.id);
  const indexed = attributesOf("list", "filter1", "filter2", "filter3", "filter4");
  const change = deletedChange({ kind: "run", id: run.id, deletedAt }, indexed);
  let found: Item | undefined;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const before = found && parseRun(found);
    if (before === undefined || isTerminal(before.status)) {
      const hide = { kind: "update", key, change, condition: hasEnded } as const;
      const outcome = await transactIdempotent(table, [hide, count], once);
      if (outcome.kind === "written") return true;
      found = outcome.failed.get(0);
    } else {
      const after: Run = { ...before, status: "cancelled", endedAt: deletedAt, deletedAt };
      const cancelled = { ...change, set: { ...change.set, status: "cancelled", ended_at: deletedAt } };
      const beside = [count];
      const end = { before, after, endedAt: deletedAt, change: cancelled, condition: living, beside };
      const outcome = await writeRunEnd(table, end, once);
      if (outcome.kind === "ended") return true;
      found = outcome.kind === "overtaken" ? outcome.item : undefined;
    }
    if (found === undefined || found.deleted_at !== undefined) return false;
  }
  throw new ChangedTooOften("the run");
}

const hasEnded: Condition = {
  expression: `${isLiving} AND status IN (${terminalStatuses.map((status) => `:${status}`).join(", ")})`,
  values: Object.fromEntries(terminalStatuses.map((status) => [status, status])),
};
