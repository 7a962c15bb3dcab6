import { forEachBounded } from "../../domain/bounded-parallel.ts";
import { keptUntilMs, type Recording, statusOf } from "../../domain/demonstration/recording.ts";
import type {
  FinishOutcome,
  RecordedSteps,
  RecordingChange,
  RecordingFilter,
  RecordingStore,
} from "../../domain/demonstration/recording-store.ts";
import type { MachineHold } from "../../domain/hold/hold.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest } from "../../domain/page.ts";
import type { RunStep } from "../../domain/run-step/run-step.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type { Warned } from "../../domain/trajectory/trajectory-store.ts";
import { listEntities } from "../entity/entity-list.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { machineRow } from "../machine/machine-item.ts";
import { idleKeys } from "../queue/queue-rows.ts";
import { readDue } from "../table/due-items.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import {
  allOf,
  type Condition,
  hasValue,
  isNew,
  isOneOf,
  living,
  put,
  remove,
  update,
} from "../table/expression.ts";
import { listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { machineKey, recordedCallKey, recordedRange, recordedStepKey, recordingKey } from "../table/keys.ts";
import { createdWithin, queryItems } from "../table/query.ts";
import { changedEntity } from "../table/row.ts";
import { trajectoryCreation } from "../trajectory/trajectory-item.ts";
import {
  holdWrite,
  notDue,
  recordedStepItem,
  recordedStepRow,
  recordingDue,
  recordingItem,
  recordingRow,
} from "./recording-item.ts";

export interface RecordingStoreDeps extends StoreDeps {
  /** @default none, and recording throws */
  readonly stepDays?: number;
  readonly searchRowsMax?: number;
}

const removedAtOnce = 100;

const parseRecording = recordingRow.parse;
const parseStep = recordedStepRow.parse;

export class DynamoRecordingStore extends IdempotentStore<RecordingStoreDeps> implements RecordingStore {
  async find(organizationId: OrganizationId, id: string): Promise<Recording | undefined> {
    const item = await this.table.get(recordingKey(organizationId, id));
    return item && parseRecording(item);
  }

  async list(
    organizationId: OrganizationId,
    filter: RecordingFilter,
    page: PageRequest,
  ): Promise<Page<Recording>> {
    const { machineId, workflowId, status } = filter;
    const isServed = [machineId, workflowId, status].every((given) => given === undefined);
    const partitions = [listPartitions.recordings(organizationId)];
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: { index: "list", partitions, ...createdWithin(filter) },
        parse: parseRecording,
        isLiving: () => true,
        search: isServed
          ? undefined
          : {
              attributes: recordingRow.attributes("inputValues", "painted"),
              isMatch: (item) => this.#isMatch(item, filter),
              rowsMax: this.deps.searchRowsMax ?? 10_000,
              noun: "recordings",
            },
      },
      page,
    );
  }

  #isMatch(item: Item, { machineId, workflowId, status }: RecordingFilter): boolean {
    if (!isAnyOf(machineId, item.machine_id) || !isAnyOf(workflowId, item.workflow_id)) return false;
    const recording = parseRecording({ ...item, input_values: "{}" });
    return isAnyOf(status, statusOf(recording, this.deps.clock.now()));
  }

  async start(
    recording: Recording,
    machine: Machine,
    held: MachineHold,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const isFree = allOf(
      living,
      { expression: "attribute_exists(connection_id)" },
      hasValue("current_run_id", null),
      hasValue("reserved_session_id", null),
      hasValue("clearing_since", null),
      hasValue("held", machine.held && JSON.stringify(machine.held)),
      hasValue("pool_ids", machine.poolIds),
    );
    const { failed } = await this.transact(idempotency, recording, {
      recording: put(recordingItem(recording, this.#expiry), isNew),
      machine: update(machineKey(machine.organizationId, machine.id), machineRow.change({ held }), isFree),
      idle: idleKeys(machine).map((key) => remove(key)),
    });
    if (failed === "recording") throw new Error("a recording with this id is there already");
    return failed === undefined;
  }

  async change(
    before: Recording,
    change: RecordingChange,
    { machine, held }: { readonly machine: Machine | undefined; readonly held: MachineHold | null },
    idempotency?: Idempotency,
  ): Promise<Recording | undefined> {
    const after = changedEntity(before, change);
    const { failed } = await this.transact(idempotency, after, {
      recording: update(
        recordingKey(before.organizationId, before.id),
        recordingRow.change(change, recordingDue(before.id, this.#dueOf(after))),
        isAsRead(before),
      ),
      machine: holdWrite(machine, held),
    });
    return failed === undefined ? after : undefined;
  }

  #dueOf(recording: Recording): string | number {
    if (recording.status === "recording") return recording.until;
    return recording.status === "expired" ? keptUntilMs(recording) : this.deps.clock.now();
  }

  async finish(
    before: Recording,
    machine: Machine | undefined,
    trajectory: Trajectory & Warned,
    idempotency?: Idempotency,
  ): Promise<FinishOutcome> {
    const { workflow, count, ...created } = trajectoryCreation(trajectory);
    const change = {
      status: "finished",
      trajectoryId: trajectory.id,
      workflowId: trajectory.workflowId,
    } as const;
    const { failed } = await this.transact(idempotency, trajectory, {
      recording: update(
        recordingKey(before.organizationId, before.id),
        recordingRow.change(change, notDue),
        isOneOf("status", ["recording", "expired"]),
      ),
      machine: holdWrite(machine, null),
      workflow,
      ...created,
      count,
    });
    if (failed === "trajectory") throw new Error("a trajectory with this id is there already");
    if (failed === undefined) return "finished";
    return failed === "workflow" ? "workflow_not_found" : "changed";
  }

  async append(
    before: Recording,
    { callId, steps, change }: RecordedSteps,
  ): Promise<"recorded" | "repeated" | "changed"> {
    const { organizationId, id } = before;
    const call = callId === undefined ? undefined : recordedCallKey(organizationId, id, callId);
    const { failed, failures } = await this.table.transact({
      recording: update(
        recordingKey(organizationId, id),
        recordingRow.change(change),
        allOf(hasValue("status", "recording"), hasValue("last_index", before.lastIndex)),
      ),
      call: call && put({ ...call, kind: "recorded_call", ...this.#expiry }, isNew),
      steps: steps.map((step) => put(recordedStepItem(step, this.#expiry), isNew)),
    });
    if (failed === "call" || failures.has("call")) return "repeated";
    return failed === undefined ? "recorded" : "changed";
  }

  async listSteps(
    organizationId: OrganizationId,
    id: string,
    { skip, limit }: PageRequest,
  ): Promise<Page<RunStep>> {
    const recording = await this.find(organizationId, id);
    const total = recording?.lastIndex ?? 0;
    // Indexes have no gaps, so the keys of the wanted rows are known.
    const to = Math.min(skip + limit, total);
    if (skip >= to) return { items: [], total };
    const rows = {
      from: recordedStepKey(organizationId, id, skip + 1).sk,
      to: recordedStepKey(organizationId, id, to).sk,
    };
    const partition = recordingKey(organizationId, id).pk;
    const items = await queryItems(this.table, { partition, ...rows });
    return { items: items.map(parseStep), total };
  }

  async findStep(organizationId: OrganizationId, id: string, index: number): Promise<RunStep | undefined> {
    const item = await this.table.get(recordedStepKey(organizationId, id, index));
    return item && parseStep(item);
  }

  async listDue(untilMs: number, limit: number): Promise<readonly Recording[]> {
    const items = await readDue(this.table, "OPEN#RECORDING", { untilMs, limit });
    return items.map(parseRecording);
  }

  async removeSteps(recording: Recording): Promise<void> {
    const { organizationId, id } = recording;
    const rows = { partition: recordingKey(organizationId, id).pk, ...recordedRange };
    for (;;) {
      const page = await queryItems(this.table, rows, removedAtOnce);
      await forEachBounded(page, async ({ pk, sk }) => {
        await this.table.delete({ pk: String(pk), sk: String(sk) });
      });
      if (page.length < removedAtOnce) break;
    }
    const change = { lastIndex: 0, inputValues: {} };
    await this.table.update(
      recordingKey(organizationId, id),
      recordingRow.change(change, notDue),
      isOneOf("status", ["discarded", "expired"]),
    );
  }

  get #expiry() {
    const { clock, stepDays } = this.deps;
    if (stepDays === undefined) throw new Error("this function does not know how long recordings are kept");
    return { ttl: Math.ceil(clock.now() / 1_000) + stepDays * 24 * 3_600 };
  }
}

function isAsRead({ status, until }: Recording): Condition {
  return allOf(hasValue("status", status), hasValue("until", until));
}
