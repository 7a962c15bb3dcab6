import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { IdleMachine, QueueEntry } from "../../../shared/domain/run/waiting/queue-entry.ts";
import type { Target } from "../../../shared/domain/run/waiting/target.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { executionsKind, runningIn } from "../../../shared/storage/execution/executions-under-way.ts";
import { parseMachine } from "../../../shared/storage/machine/machine-item.ts";
import { entryKey, parseIdle, parseQueueEntry } from "../../../shared/storage/queue/queue-rows.ts";
import { parseRun } from "../../../shared/storage/run/run-item.ts";
import { parseSession } from "../../../shared/storage/session/session-item.ts";
import { fromAttributes, type Item } from "../../../shared/storage/table/item.ts";
import type { ModelRecord } from "../dynamo-model/dynamo-model.ts";

/** A consistent view of the whole table, which no actor can have. Kept up to date by the stream's records. */
export class View {
  readonly machines = new Map<string, Machine>();
  readonly runs = new Map<string, Run>();
  readonly sessions = new Map<string, Session>();
  readonly queue = new Map<string, QueueEntry>();
  readonly idle = new Map<string, IdleMachine>();
  /** Ids of pools that are not deleted. */
  readonly pools = new Set<string>();
  readonly workflows = new Set<string>();
  readonly stoppedChains = new Set<string>();
  /** Elements of the row of executions, one for each run that the service executes. */
  executions: ReadonlySet<string> = new Set();

  apply({ dynamodb: { Keys, NewImage, OldImage } }: ModelRecord): void {
    const after = NewImage && plain(NewImage);
    const before = OldImage && plain(OldImage);
    const id = String((after ?? before)?.id);
    const row = `${Keys.pk?.S} ${Keys.sk?.S}`;
    const isLiving = after !== undefined && after.deleted_at === undefined;
    const kind = (after ?? before)?.kind;
    if (kind === "machine") put(this.machines, id, after && parseMachine(after));
    if (kind === "run") put(this.runs, id, after && parseRun(after));
    if (kind === "session") put(this.sessions, id, after && parseSession(after));
    if (kind === "queue") put(this.queue, row, after && parseQueueEntry(after));
    if (kind === "idle") put(this.idle, row, after && parseIdle(after));
    if (kind === executionsKind) this.executions = runningIn(after);
    if (kind === "stopped_chain") mark(this.stoppedChains, row, after !== undefined);
    if (kind === "pool") mark(this.pools, id, isLiving);
    if (kind === "workflow") mark(this.workflows, id, isLiving);
  }

  livingRuns(): readonly Run[] {
    return [...this.runs.values()].filter((run) => run.deletedAt === null);
  }

  executedRuns(): readonly Run[] {
    return [...this.runs.values()].filter(
      ({ status, executor }) => status === "running" && executor === "service",
    );
  }

  livingMachines(): readonly Machine[] {
    return [...this.machines.values()].filter((machine) => machine.deletedAt === null);
  }
}

export function rowKey(entry: QueueEntry): string {
  const { pk, sk } = entryKey(entry);
  return `${pk} ${sk}`;
}

/** Whether a machine without a reservation may take entries of the target. */
export function isServedBy(target: Target, machine: Machine): boolean {
  if (target.kind === "machine") return target.machineId === machine.id;
  return (
    target.kind === "any" ||
    (target.kind === "pools" && target.poolIds.every((id) => machine.poolIds.includes(id)))
  );
}

export function plain(image: Readonly<Record<string, unknown>>): Item {
  return fromAttributes(image as Record<string, AttributeValue>);
}

function put<T>(all: Map<string, T>, id: string, entity: T | undefined): void {
  if (entity === undefined) all.delete(id);
  else all.set(id, entity);
}

function mark(all: Set<string>, id: string, isThere: boolean): void {
  if (isThere) all.add(id);
  else all.delete(id);
}
