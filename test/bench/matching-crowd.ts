import { v7 } from "uuid";
import { isoTimestamp } from "../../shared/domain/clock.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import type { Assignment, QueuedRun } from "../../shared/domain/matching/match-store.ts";
import type { MatchTrigger } from "../../shared/domain/matching/match-trigger.ts";
import { entryOfRun } from "../../shared/domain/matching/queue-places.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import type { Workflow } from "../../shared/domain/workflow/workflow.ts";
import { machineItem } from "../../shared/storage/machine/machine-item.ts";
import { poolItem } from "../../shared/storage/pool/pool-item.ts";
import { entryKey, idleItems, queueItem } from "../../shared/storage/queue/queue-rows.ts";
import { runItem } from "../../shared/storage/run/run-item.ts";
import type { Item, Key } from "../../shared/storage/table/item.ts";
import { poolSetKey } from "../../shared/storage/table/keys.ts";
import { workflowItem } from "../../shared/storage/workflow/workflow-item.ts";
import { aMachine, anOrganization, aPool, aRun } from "../support/builders/entities.ts";
import { aWorkflow } from "../support/builders/workflows.ts";

const connection = {
  id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f",
  websocketId: "w=",
  host: "api/live/us-east-1",
};

/** An organization whose machines are connected and free, and are in one pool. */
export interface Crowd {
  readonly organizationId: OrganizationId;
  readonly workflow: Workflow;
  readonly poolId: string;
  readonly machines: readonly Machine[];
}

export function crowdOf(machines: number): Crowd {
  const organizationId = anOrganization();
  const { id: poolId } = aPool({ organizationId });
  return {
    organizationId,
    workflow: aWorkflow({ organizationId }),
    poolId,
    machines: Array.from({ length: machines }, () =>
      aMachine({ organizationId, connection, poolIds: [poolId] }),
    ),
  };
}

/** Runs that wait alternately for any machine and for one of the pool, created one millisecond after the other. */
export function waitingRuns(crowd: Crowd, count: number, fields: Partial<Run> = {}): readonly Run[] {
  const { organizationId, workflow, poolId } = crowd;
  const firstMs = Date.now() - count;
  return Array.from({ length: count }, (_, at) =>
    aRun({
      organizationId,
      workflowId: workflow.id,
      id: v7({ msecs: firstMs + at }),
      poolIds: at % 2 === 1 ? [poolId] : [],
      ...fields,
    }),
  );
}

/** The items other than machines and runs. */
export function* crowdItems({ organizationId, workflow, poolId, machines }: Crowd): Generator<Item & Key> {
  yield workflowItem(workflow);
  yield poolItem(aPool({ organizationId, id: poolId, machineCount: machines.length }));
  yield {
    ...poolSetKey(organizationId, [poolId]),
    kind: "pool_set",
    organization_id: organizationId,
    pool_ids: [poolId],
    write_id: v7(),
  };
}

export function* runItems(runs: readonly Run[]): Generator<Item & Key> {
  for (const run of runs) {
    const entry = entryOfRun(run);
    yield runItem(run);
    yield { ...entryKey(entry), ...queueItem(entry) };
  }
}

export function* machineItems(machines: readonly Machine[], are: "idle" | "unknown"): Generator<Item & Key> {
  for (const machine of machines) {
    yield machineItem(machine);
    const { organizationId, id: machineId, poolIds } = machine;
    if (are === "idle") yield* idleItems({ organizationId, machineId, poolIds });
  }
}

/** The assignments that the matcher would write for each machine and the run at the same index, without reads. */
export function assignmentsOf(machines: readonly Machine[], runs: readonly Run[]): readonly Assignment[] {
  const startedAt = isoTimestamp(Date.now());
  return runs.flatMap((run, at) => {
    const machine = machines[at];
    if (machine === undefined) return [];
    // The entry is always a run's.
    const entry = { ...entryOfRun(run), writeId: null } as QueuedRun;
    const inputs = { inputValues: run.inputValues, inheritedSecrets: {}, inheritedNames: [] };
    return [{ machine, run, entry, session: undefined, assignmentId: v7(), startedAt, ...inputs }];
  });
}

export function machineChanged({ organizationId, id: machineId }: Machine): MatchTrigger {
  return { kind: "machine_changed", organizationId, machineId };
}

export function runQueued(run: Run): MatchTrigger {
  return { kind: "queued", organizationId: run.organizationId, entry: entryOfRun(run) };
}
