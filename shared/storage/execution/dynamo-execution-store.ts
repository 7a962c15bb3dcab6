import { forEachBounded } from "../../domain/bounded-parallel.ts";
import {
  type Cursor,
  checkedEveryMs,
  type Execution,
  type ExecutionJob,
  startedWithinMs,
} from "../../domain/execution/execution.ts";
import type {
  BeginOutcome,
  ExecutionState,
  ExecutionStore,
  StepId,
  StepOutcome,
  StepUnderWay,
} from "../../domain/execution/execution-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { unknownAfter } from "../../domain/page.ts";
import type { RunStep, SavedValue } from "../../domain/run-step/run-step.ts";
import type { StepsPage } from "../../domain/run-step/step-reader.ts";
import { overtaken, overtakenBy, untilWritten } from "../../domain/until-written.ts";
import { readDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import { allOf, type Condition, check, hasValue, isNew, living, put, update } from "../table/expression.ts";
import {
  carriedOutRange,
  executionKey,
  executionRange,
  runKey,
  stepCountKey,
  stepKey,
  stepRange,
} from "../table/keys.ts";
import { queryItems } from "../table/query.ts";
import {
  executionDue,
  executionRow,
  hasBegun,
  isExecutedBy,
  lastIndexIn,
  mayStep,
  newStepPut,
  parseSaved,
  refuseHeld,
  type StepStoreDeps,
  savedPut,
  stepExpiry,
  stepItem,
  stepRow,
  triesRow,
} from "./execution-item.ts";

const removedAtOnce = 100;

export class DynamoExecutionStore extends DynamoStore<StepStoreDeps> implements ExecutionStore {
  async find(organizationId: OrganizationId, runId: string): Promise<Execution | undefined> {
    const item = await this.table.get(executionKey(organizationId, runId));
    return item && executionRow.parse(item);
  }

  async listDue(untilMs: number, limit: number): Promise<readonly Execution[]> {
    const items = await readDue(this.table, "OPEN#EXECUTION", { untilMs, limit });
    return items.map(executionRow.parse);
  }

  async checkLater({ organizationId, runId, assignmentId, part, arn }: Execution): Promise<void> {
    const set = this.#due(runId, arn === null ? startedWithinMs : checkedEveryMs);
    await this.table.update(
      executionKey(organizationId, runId),
      { set },
      allOf(isExecutedBy(assignmentId), hasValue("part", part)),
    );
  }

  #due(runId: string, inMs: number) {
    return executionDue(runId, this.deps.clock.now() + inMs);
  }

  async begin(job: ExecutionJob, arn: string): Promise<BeginOutcome> {
    const { organizationId, runId, assignmentId, part } = job;
    const outcome = await this.table.update(
      executionKey(organizationId, runId),
      { set: { arn, ...this.#due(runId, checkedEveryMs) } },
      allOf(isExecutedBy(assignmentId), {
        expression: "part = :part AND (attribute_not_exists(arn) OR arn = :mine)",
        values: { part, mine: arn },
      }),
    );
    if (outcome.kind === "updated") return { kind: "begun", execution: executionRow.parse(outcome.item) };
    if (outcome.item?.assignment_id !== assignmentId) return { kind: "ended" };
    return { kind: "taken", arn: String(outcome.item.arn ?? "") };
  }

  async pin(
    { organizationId, runId, assignmentId }: ExecutionJob,
    planKey: string,
  ): Promise<string | undefined> {
    const outcome = await this.table.update(
      executionKey(organizationId, runId),
      { compute: { plan_key: "if_not_exists(plan_key, :plan)" }, values: { plan: planKey } },
      isExecutedBy(assignmentId),
    );
    return outcome.kind === "updated" ? String(outcome.item.plan_key) : undefined;
  }

  async handOver(job: ExecutionJob, arn: string, cursor: Cursor): Promise<boolean> {
    const { organizationId, runId, assignmentId, part } = job;
    const key = executionKey(organizationId, runId);
    const outcome = await this.table.update(
      key,
      {
        set: { part: part + 1, cursor: JSON.stringify(cursor), ...this.#due(runId, startedWithinMs) },
        remove: ["arn"],
      },
      allOf(isExecutedBy(assignmentId, arn), hasValue("part", part)),
    );
    if (outcome.kind === "updated") return true;
    // An invocation that ended before recording it has done it.
    return outcome.item?.assignment_id === assignmentId && outcome.item.part === part + 1;
  }

  async awaitCallback(job: ExecutionJob, arn: string, callbackId: string): Promise<boolean> {
    const { organizationId, runId, assignmentId } = job;
    const outcome = await this.table.update(
      executionKey(organizationId, runId),
      { set: { callback_id: callbackId } },
      allOf(isExecutedBy(assignmentId, arn), isHeld),
    );
    return outcome.kind === "updated";
  }

  async forgetCallback({ organizationId, runId, assignmentId }: ExecutionJob): Promise<void> {
    const change = { remove: ["callback_id"] };
    await this.table.update(executionKey(organizationId, runId), change, isExecutedBy(assignmentId));
  }

  async readState({ organizationId, runId, assignmentId }: ExecutionJob): Promise<ExecutionState> {
    const partition = runKey(organizationId, runId).pk;
    const [items, lastStep] = await Promise.all([
      queryItems(this.table, { partition, ...executionRange }),
      this.findLastStep(organizationId, runId),
    ]);
    const own = items.filter((item) => item.assignment_id === assignmentId);
    return {
      execution: own.filter(({ kind }) => kind === "execution").map(executionRow.parse)[0],
      saved: own.filter(({ kind }) => kind === "saved_value").map(parseSaved),
      lastStep: lastStep?.assignmentId === assignmentId ? lastStep : undefined,
    };
  }

  /** The row behind it may only have counted tries. */
  async findLastStep(organizationId: OrganizationId, runId: string): Promise<RunStep | undefined> {
    const rows = { partition: runKey(organizationId, runId).pk, ...stepRange, isDescending: true };
    const last = await queryItems(this.table, rows, 2);
    return last.filter(hasBegun).map(stepRow.parse)[0];
  }

  async countTry(step: StepId): Promise<StepUnderWay> {
    const { assignmentId } = step;
    const set = { kind: "step", assignment_id: assignmentId, ...this.#expiry };
    const outcome = await this.table.update(
      keyOf(step),
      { set, add: { tries: 1 } },
      {
        expression: "attribute_not_exists(pk) OR assignment_id = :assignment",
        values: { assignment: assignmentId },
      },
    );
    if (outcome.kind === "updated") {
      const { tries } = triesRow.parse(outcome.item);
      return hasBegun(outcome.item)
        ? { kind: "recorded", step: stepRow.parse(outcome.item), tries }
        : { kind: "fresh", tries };
    }
    // The row belongs to an earlier attempt, which did not send it.
    await this.table.put(
      { ...keyOf(step), ...set, tries: 1 },
      { expression: "attribute_not_exists(status)" },
    );
    return { kind: "fresh", tries: 1 };
  }

  async releaseTry(step: StepId): Promise<void> {
    await this.table.update(keyOf(step), { remove: ["tries"] }, isExecutedBy(step.assignmentId));
  }

  async recordSending(step: RunStep, arn: string, tries: number): Promise<boolean> {
    const { organizationId, runId, assignmentId } = step;
    const isMine = {
      expression: "attribute_not_exists(status) OR (assignment_id = :assignment AND tries = :tries)",
      values: { assignment: assignmentId, tries },
    };
    const { failed, failures } = await this.table.transact({
      execution: check(executionKey(organizationId, runId), mayStep(assignmentId, arn)),
      step: update(keyOf(step), { set: { ...stepRow.write(step), ...this.#expiry, tries } }, isMine),
    });
    if (failed === "step") throw new Error("another invocation has the step");
    refuseHeld(failures.item("execution"), assignmentId, arn);
    return failed === undefined;
  }

  async withdraw(step: StepId): Promise<void> {
    await this.table.update(
      keyOf(step),
      { remove: ["status", "tries"] },
      {
        expression: "assignment_id = :assignment AND status = :sending",
        values: { assignment: step.assignmentId, sending: "sending" },
      },
    );
  }

  async recordOutcome(step: StepId, { saved, ...outcome }: StepOutcome): Promise<void> {
    const change = { set: stepRow.set(outcome) };
    const isIts = isExecutedBy(step.assignmentId);
    if (saved === undefined) {
      await this.table.update(keyOf(step), change, isIts);
      return;
    }
    await this.table.transact({
      step: update(keyOf(step), change, isIts),
      saved: savedPut(step, saved, this.#expiry),
    });
  }

  async recordStep(step: RunStep, saved?: SavedValue): Promise<boolean> {
    const { organizationId, runId, assignmentId } = step;
    const { failed, failures } = await this.table.transact({
      execution: check(executionKey(organizationId, runId), mayStep(assignmentId)),
      step: put({ ...stepItem(step), ...this.#expiry }),
      saved: saved && savedPut(step, saved, this.#expiry),
    });
    refuseHeld(failures.item("execution"), assignmentId);
    return failed === undefined;
  }

  async listSteps(
    organizationId: OrganizationId,
    runId: string,
    { skip, limit, after, afterIndex = after ?? 0 }: StepsPage,
  ): Promise<{ readonly items: readonly RunStep[]; readonly total: number }> {
    const partition = runKey(organizationId, runId).pk;
    const [[first], last] = await Promise.all([
      queryItems(this.table, { partition, ...stepRange }, 1),
      this.findLastStep(organizationId, runId),
    ]);
    if (first === undefined || last === undefined) return { items: [], total: 0 };
    // Indexes have no gaps, so the keys of the wanted rows are known.
    const begin = stepRow.parse(first).index;
    if (after !== undefined && after > last.index) throw unknownAfter(after);
    const from = Math.max(begin + skip, afterIndex + 1);
    const to = Math.min(from + limit - 1, last.index);
    const rows = {
      from: stepKey(organizationId, runId, from).sk,
      to: stepKey(organizationId, runId, to).sk,
    };
    const items = await queryItems(this.table, { partition, ...rows });
    return { items: items.filter(hasBegun).map(stepRow.parse), total: last.index - begin + 1 };
  }

  async findStep(organizationId: OrganizationId, runId: string, index: number): Promise<RunStep | undefined> {
    const item = await this.table.get(stepKey(organizationId, runId, index));
    return item !== undefined && hasBegun(item) ? stepRow.parse(item) : undefined;
  }

  async appendSteps(steps: readonly Omit<RunStep, "index">[], lastIndex: number): Promise<boolean> {
    const [first] = steps;
    if (first === undefined) return true;
    const { organizationId, runId, assignmentId } = first;
    const ofAssignment = hasValue("assignment_id", assignmentId);
    return await untilWritten<number, boolean>(this.table.pacing, {
      what: "the run's steps",
      read: async () => lastIndex,
      decide: async (before) => {
        const isAsRead = before === 0 ? isNew : hasValue("last", before);
        const count = { kind: "step_count", last: before + steps.length };
        const { failed, failures } = await this.table.transact({
          run: check(runKey(organizationId, runId), allOf(living, isRunning, ofAssignment)),
          count: update(stepCountKey(organizationId, runId), { set: count }, isAsRead),
          steps: steps.map((step, place) =>
            put({ ...stepItem({ ...step, index: before + 1 + place }), ...this.#expiry }),
          ),
        });
        return failed === "count" ? overtakenBy(lastIndexIn(failures.item("count"))) : failed === undefined;
      },
    });
  }

  async appendWhileHeld(steps: readonly Omit<RunStep, "index">[], lastIndex: number): Promise<boolean> {
    const [first] = steps;
    if (first === undefined) return true;
    const { organizationId, runId, assignmentId } = first;
    const isTheirs = allOf(isExecutedBy(assignmentId), isHeld);
    return await untilWritten<number, boolean>(this.table.pacing, {
      what: "the run's steps",
      first: lastIndex,
      read: async () => (await this.findLastStep(organizationId, runId))?.index ?? 0,
      decide: async (before) => {
        const { failed } = await this.table.transact({
          execution: check(executionKey(organizationId, runId), isTheirs),
          steps: steps.map((step, place) => newStepPut({ ...step, index: before + 1 + place }, this.#expiry)),
        });
        return failed === "steps" ? overtaken : failed === undefined;
      },
    });
  }

  async removeAll(organizationId: OrganizationId, runId: string): Promise<void> {
    const rows = { partition: runKey(organizationId, runId).pk, ...carriedOutRange };
    for (;;) {
      const page = await queryItems(this.table, rows, removedAtOnce);
      await forEachBounded(page, async ({ pk, sk }) => {
        await this.table.delete({ pk: String(pk), sk: String(sk) });
      });
      if (page.length < removedAtOnce) return;
    }
  }

  get #expiry() {
    return stepExpiry(this.deps);
  }
}

const isHeld: Condition = { expression: "attribute_exists(held)" };

const isRunning: Condition = hasValue("status", "running");

function keyOf({ organizationId, runId, index }: StepId) {
  return stepKey(organizationId, runId, index);
}
