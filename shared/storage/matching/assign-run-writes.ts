import type { Assignment, AssignOutcome } from "../../domain/matching/match-store.ts";
import { executionPut } from "../execution/execution-item.ts";
import { executionBegun } from "../execution/executions-under-way.ts";
import { placeTaken } from "../execution/service-executions.ts";
import { dequeueWrite, idleKeys, isFreeAsRead } from "../queue/queue-rows.ts";
import { parseRun } from "../run/run-item.ts";
import { activeChange, isPendingAsSeen } from "../session/session-item.ts";
import { allOf, check, hasValue, isAsRead, isNew, remove, update, type Write } from "../table/expression.ts";
import { filterPartitions } from "../table/index-keys.ts";
import { createdSortKey } from "../table/key-parts.ts";
import { machineKey, runKey, sessionKey, stoppedChainKey } from "../table/keys.ts";
import type { Transacted } from "../table/transaction.ts";

export interface PlaceWanted {
  readonly shard: number;
  readonly max: number;
  readonly isTurn: boolean;
}

/** @param place is undefined where the executions of all organizations have no limit. */
export function assignParts(assignment: Assignment, executionsMax: number, place?: PlaceWanted) {
  const { machine, run, entry, session } = assignment;
  const isOurs = run.executor === "service";
  return {
    machine: machineWrite(assignment),
    run: runWrite(assignment, place?.shard),
    place: dequeueWrite(entry),
    session: session && sessionWrite(assignment, session),
    idle: idleKeys(machine).map((key) => remove(key)),
    sessionPlace: session?.place && dequeueWrite(session.place),
    chain: chainCheck(assignment),
    execution: isOurs ? executionWrite(assignment) : undefined,
    limit: isOurs ? executionBegun(run, executionsMax) : undefined,
    service: place && placeTaken(run, place.shard, place),
  };
}

export function assignOutcome({
  failed,
  failures,
}: Transacted<keyof ReturnType<typeof assignParts>>): AssignOutcome {
  switch (failed) {
    case undefined:
      return { kind: "assigned" };
    case "machine":
      return { kind: "machine_gone" };
    case "run": {
      const item = failures.item("run");
      const run = item && parseRun(item);
      if (run?.status === "scheduling" && run.deletedAt === null) return { kind: "changed" };
      return { kind: "run_gone", isTaken: run?.status === "running" };
    }
    case "session":
      return { kind: "session_gone" };
    case "limit":
      return { kind: "organization_full" };
    case "service":
      return { kind: "service_full" };
    default:
      return { kind: "chain_stopped" };
  }
}

function machineWrite({ machine, run, session }: Assignment): Write {
  const starts = session !== undefined && machine.reservedSessionId === null;
  const set = { current_run_id: run.id, reserved_session_id: starts ? session.session.id : undefined };
  const key = machineKey(machine.organizationId, machine.id);
  return update(key, { set, add: { revision: 1 } }, isFreeAsRead(machine));
}

function runWrite(assignment: Assignment, serviceShard: number | undefined): Write {
  const { machine, run, assignmentId, inputValues, inheritedSecrets, inheritedNames, startedAt } = assignment;
  const { organizationId } = run;
  const set = {
    status: "running",
    machine_id: machine.id,
    assignment_id: assignmentId,
    service_shard: serviceShard ?? null,
    started_at: startedAt,
    input_values: JSON.stringify(inputValues),
    inherited_secrets: inheritedSecrets,
    inherited_names: inheritedNames.length > 0 ? inheritedNames : undefined,
    filter2_pk: filterPartitions.runsByMachine(organizationId, machine.id),
    filter2_sk: createdSortKey(Date.parse(run.createdAt), run.id),
    filter4_pk: filterPartitions.runsByStatus(organizationId, "running"),
  };
  const change = { set, remove: ["due_pk", "due_sk"], add: { revision: 1 } };
  return update(runKey(organizationId, run.id), change, isAsRead(run));
}

function sessionWrite(
  { machine, startedAt }: Assignment,
  { session }: NonNullable<Assignment["session"]>,
): Write {
  const isMine =
    session.status === "pending"
      ? isPendingAsSeen(session)
      : allOf(hasValue("status", session.status), hasValue("machine_id", machine.id));
  const key = sessionKey(session.organizationId, session.id);
  return update(key, activeChange(session.id, machine.id, startedAt), isMine);
}

/** Nobody works on the execution yet, because it is started after this write. */
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
    held: null,
    callbackId: null,
    resumed: null,
    heldMs: 0,
  });
}

function chainCheck({ run: { organizationId, sessionId, chainId } }: Assignment): Write | undefined {
  if (sessionId === null || chainId === null) return undefined;
  return check(stoppedChainKey(organizationId, sessionId, chainId), isNew);
}
