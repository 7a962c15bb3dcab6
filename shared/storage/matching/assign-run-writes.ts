import type { Assignment, AssignOutcome } from "../../domain/matching/match-store.ts";
import { executionPut } from "../execution/execution-item.ts";
import { executionBegun } from "../execution/executions-under-way.ts";
import { dequeueWrite, idleKeys, isFreeAsRead } from "../queue/queue-rows.ts";
import { parseRun } from "../run/run-item.ts";
import { activeChange, isPendingAsSeen } from "../session/session-item.ts";
import type { FailedConditions } from "../table/dynamo-failure.ts";
import { type Condition, isAsRead, isNew, type Write } from "../table/expression.ts";
import {
  createdSortKey,
  filterPartitions,
  machineKey,
  runKey,
  sessionKey,
  stoppedChainKey,
} from "../table/keys.ts";

/** Positions of the conditions in the transaction. */
const places = { machine: 0, run: 1, session: 3 } as const;

/**
 * The transaction that assigns a run to a machine: both items, the queue and idle rows that they leave, the run's
 * session and its queue row, and the check that no earlier step has failed; of one that the service carries out its
 * execution, and last that the organization may have one more.
 */
export function assignWrites(assignment: Assignment, executionsMax: number): readonly Write[] {
  const { machine, run, entry, session } = assignment;
  return [
    machineWrite(assignment),
    runWrite(assignment),
    dequeueWrite(entry),
    ...(session === undefined ? [] : [sessionWrite(assignment, session)]),
    ...idleKeys(machine).map((key): Write => ({ kind: "delete", key })),
    ...(session?.place === undefined ? [] : [dequeueWrite(session.place)]),
    ...chainCheck(assignment),
    ...(run.executor === "service" ? [executionWrite(assignment), executionBegun(run, executionsMax)] : []),
  ];
}

/** Why the run could not be assigned to the machine. */
export function assignRefusal(
  assignment: Assignment,
  writes: readonly Write[],
  failed: FailedConditions,
): AssignOutcome {
  if (failed.has(places.machine)) return { kind: "machine_gone" };
  if (failed.has(places.run)) {
    const item = failed.get(places.run);
    const run = item && parseRun(item);
    if (run?.status === "scheduling" && run.deletedAt === null) return { kind: "changed" };
    return { kind: "run_gone", isTaken: run?.status === "running" };
  }
  if (assignment.session !== undefined && failed.has(places.session)) return { kind: "session_gone" };
  const isFull = assignment.run.executor === "service" && failed.has(writes.length - 1);
  return isFull && failed.size === 1 ? { kind: "organization_full" } : { kind: "chain_stopped" };
}

function machineWrite({ machine, run, session }: Assignment): Write {
  const starts = session !== undefined && machine.reservedSessionId === null;
  return {
    kind: "update",
    key: machineKey(machine.organizationId, machine.id),
    change: {
      set: { current_run_id: run.id, reserved_session_id: starts ? session.session.id : undefined },
      add: { revision: 1 },
    },
    condition: isFreeAsRead(machine),
  };
}

function runWrite(assignment: Assignment): Write {
  const { machine, run, assignmentId, inputValues, inheritedSecrets, inheritedNames, startedAt } = assignment;
  const { organizationId } = run;
  return {
    kind: "update",
    key: runKey(organizationId, run.id),
    change: {
      set: {
        status: "running",
        machine_id: machine.id,
        assignment_id: assignmentId,
        started_at: startedAt,
        input_values: JSON.stringify(inputValues),
        inherited_secrets: inheritedSecrets,
        inherited_names: inheritedNames.length > 0 ? inheritedNames : undefined,
        filter2_pk: filterPartitions.runsByMachine(organizationId, machine.id),
        filter2_sk: createdSortKey(Date.parse(run.createdAt), run.id),
        filter4_pk: filterPartitions.runsByStatus(organizationId, "running"),
      },
      remove: ["due_pk", "due_sk"],
      add: { revision: 1 },
    },
    condition: isAsRead(run),
  };
}

function sessionWrite(
  { machine, startedAt }: Assignment,
  { session }: NonNullable<Assignment["session"]>,
): Write {
  const isMine: Condition =
    session.status === "pending"
      ? isPendingAsSeen(session)
      : {
          expression: "status = :seen AND machine_id = :machine",
          values: { seen: session.status, machine: machine.id },
        };
  return {
    kind: "update",
    key: sessionKey(session.organizationId, session.id),
    change: activeChange(session.id, machine.id, startedAt),
    condition: isMine,
  };
}

/** Nobody works on it yet: it is started when this is written. */
function executionWrite({ machine, run, assignmentId, startedAt }: Assignment): Write {
  const { organizationId, id: runId } = run;
  return executionPut({
    organizationId,
    runId,
    assignmentId,
    startedAt,
    machineId: machine.id,
    part: 1,
    arn: null,
    planKey: null,
    cursor: null,
  });
}

function chainCheck({ run: { organizationId, sessionId, chainId } }: Assignment): readonly Write[] {
  if (sessionId === null || chainId === null) return [];
  const key = stoppedChainKey(organizationId, sessionId, chainId);
  return [{ kind: "check", key, condition: isNew }];
}
