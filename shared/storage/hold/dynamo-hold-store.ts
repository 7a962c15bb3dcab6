import { startedWithinMs } from "../../domain/execution/execution.ts";
import type { Hold } from "../../domain/hold/hold.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { AskedStep, HoldStore, ReleasedRun, Resumption } from "../../domain/run/hold/hold-store.ts";
import type { Run } from "../../domain/run/run.ts";
import {
  executionDue,
  executionRow,
  isExecutedBy,
  mayStep,
  newStepPut,
  refuseHeld,
  type StepStoreDeps,
  stepExpiry,
} from "../execution/execution-item.ts";
import { transactIdempotent } from "../idempotency/transact-idempotent.ts";
import { machineRow } from "../machine/machine-item.ts";
import { runRow } from "../run/run-item.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { allOf, type Condition, hasValue, isAsRead, update, type Write } from "../table/expression.ts";
import { executionKey, machineKey, runKey } from "../table/keys.ts";
import { changedEntity } from "../table/row.ts";

interface Change {
  readonly held: Hold | null;
  readonly execution: Parameters<typeof executionRow.set>[0];
  readonly condition?: Condition;
  readonly step?: Write;
}

export class DynamoHoldStore extends DynamoStore<StepStoreDeps> implements HoldStore {
  async hold(run: Run, held: Hold, idempotency?: Idempotency): Promise<Run | undefined> {
    return (await this.#write(run, { held, execution: { held } }, idempotency)).after;
  }

  async ask(run: Run, held: Hold, { step, arn }: AskedStep): Promise<Run | undefined> {
    const { assignmentId } = step;
    const condition = mayStep(assignmentId, arn);
    const put = newStepPut(step, stepExpiry(this.deps));
    const { after, failures } = await this.#write(run, { held, execution: { held }, condition, step: put });
    refuseHeld(failures?.item("execution"), assignmentId, arn);
    if (failures?.has("step")) throw new Error("another invocation has the step");
    return after;
  }

  async release(run: Run, resumed: Resumption, idempotency?: Idempotency): Promise<ReleasedRun | undefined> {
    const item = await this.table.get(executionKey(run.organizationId, run.id));
    if (item === undefined) return undefined;
    const { callbackId, heldMs } = executionRow.parse(item);
    const execution = { held: null, resumed, heldMs: heldMs + resumed.heldMs };
    const condition = hasValue("callback_id", callbackId);
    const { after } = await this.#write(run, { held: null, execution, condition }, idempotency);
    return after && { run: after, callbackId };
  }

  async #write(run: Run, { held, execution, condition, step }: Change, idempotency?: Idempotency) {
    const { organizationId, id, machineId, assignmentId } = run;
    if (machineId === null || assignmentId === null) return {};
    // The sweeper wakes an executor that nobody could tell.
    const due = held === null ? executionDue(id, this.deps.clock.now() + startedWithinMs) : {};
    const after = changedEntity(run, { held });
    const ofMachine = held && { ...held, runId: id, recordingId: null };
    const { failed, failures } = await transactIdempotent(
      this.table,
      {
        run: update(runKey(organizationId, id), runRow.change({ held }), isAsRead(run)),
        machine: update(
          machineKey(organizationId, machineId),
          machineRow.change({ held: ofMachine }),
          hasValue("current_run_id", id),
        ),
        execution: update(
          executionKey(organizationId, id),
          { set: { ...executionRow.set(execution), ...due } },
          allOf(isExecutedBy(assignmentId), condition),
        ),
        step,
      },
      { idempotency, result: after, nowMs: this.deps.clock.now() },
    );
    return failed === undefined ? { after } : { failures };
  }
}
