import type { Machine } from "../../domain/machine/machine.ts";
import type { VanishedMachineStore } from "../../domain/maintenance/matching/vanished-machine-store.ts";
import { changedRun } from "../../domain/run/run-change.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { writeRun } from "../run/run-end.ts";
import { parseRun, runChange } from "../run/run-item.ts";
import { runCondition } from "../run/run-update.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { type Change, type Condition, hasValue } from "../table/expression.ts";
import { duePartition, dueSortKey } from "../table/index-keys.ts";
import { machineKey, runKey } from "../table/keys.ts";

const errorsMax = 20;

export class DynamoVanishedMachineStore extends DynamoStore<StoreDeps> implements VanishedMachineStore {
  async listDue(untilMs: number, limit: number, shard?: number): Promise<readonly Machine[]> {
    const page = { untilMs, limit, shard };
    const machines = (await readDue(this.table, "VANISHED#MACHINE", page)).map(parseMachine);
    return machines.filter(({ deletedAt }) => deletedAt === null);
  }

  async endRun(
    { id, organizationId, currentRunId, disconnectedAt }: Machine,
    { reason, endedAt }: { readonly reason: string; readonly endedAt: string },
  ): Promise<boolean> {
    if (currentRunId === null || disconnectedAt === null) return false;
    const item = await this.table.get(runKey(organizationId, currentRunId));
    return await writeRun<boolean>(this.deps, { run: item && parseRun(item) }, (before, failures) => {
      const machine = failures?.item("machine");
      const isBack = machine !== undefined && machine.disconnected_at !== disconnectedAt;
      if (isBack || before?.status !== "running" || before.machineId !== id) return { refused: false };
      const error = [...before.error, reason].slice(-errorsMax);
      const change = { status: "error", errorCode: "machine_unavailable", error, endedAt } as const;
      const end = {
        before,
        after: changedRun(before, change),
        endedAt,
        machineAwaySince: disconnectedAt,
        change: runChange(organizationId, change),
        condition: runCondition(change, { assignmentId: before.assignmentId ?? undefined }),
      };
      return { end, outcome: true, result: null };
    });
  }

  async settle({ id, organizationId, disconnectedAt }: Machine, isOver: boolean): Promise<void> {
    const outcome = dueAfter(id, disconnectedAt, isOver);
    await this.table.update(machineKey(organizationId, id), outcome.change, {
      expression: `due_pk = :vanished AND ${outcome.condition.expression}`,
      values: { vanished: duePartition("VANISHED#MACHINE", id), ...outcome.condition.values },
    });
  }
}

/** The marker is not part of the machine's state, so the revision stays and no other writer is overtaken. */
function dueAfter(
  machineId: string,
  disconnectedAt: string | null,
  isOver: boolean,
): { readonly change: Change; readonly condition: Condition } {
  const remove = ["due_pk", "due_sk"];
  if (disconnectedAt === null) {
    return { change: { remove }, condition: { expression: "attribute_not_exists(disconnected_at)" } };
  }
  const isAsSeen = hasValue("disconnected_at", disconnectedAt);
  if (!isOver) {
    return {
      change: { set: { due_sk: dueSortKey(Date.parse(disconnectedAt), machineId) } },
      condition: isAsSeen,
    };
  }
  // A disconnected machine gets no run, so none can be assigned later.
  const expression = `${isAsSeen.expression} AND attribute_not_exists(current_run_id)`;
  return { change: { remove }, condition: { ...isAsSeen, expression } };
}
