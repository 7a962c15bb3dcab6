import { assignmentHeader } from "../../shared/contract/computer/computer.ts";
import type { Caller } from "../../shared/domain/access/caller.ts";
import type { Batch } from "../../shared/domain/computer/batch.ts";
import type { ComputerDeps } from "../../shared/domain/computer/computer-deps.ts";
import type { JsonObject } from "../../shared/domain/json.ts";
import {
  recordWorkerSteps,
  requireAssignment,
  statusOfRefusal,
  type WorkerStepDeps,
  type WorkersCall,
} from "../../shared/domain/run-progress/record-worker-steps.ts";
import type { HttpContext } from "../../shared/http/http-env.ts";
import { PersonalRecord, type PersonalRequest } from "./as-personal.ts";
import { readOnce } from "./read-once.ts";

export interface ActingRequest extends Pick<PersonalRequest, "computer" | "machines"> {
  readonly c: HttpContext;
  readonly caller: Caller;
  readonly machineId: string;
}

export type ComputerWork<Answer> = (machines: ComputerDeps["machines"]) => Promise<Answer>;

export type Outcome = Pick<WorkersCall, "did" | "picture">;

/**
 * Records the actions as steps of the run whose assignment the request names, or as those of the person who holds the
 * machine. A repeat records nothing.
 *
 * @throws {DomainError} `assignment_mismatch` before anything is done.
 */
export async function asSteps<Answer>(
  deps: WorkerStepDeps & Pick<PersonalRequest, "personalActions" | "clock">,
  { c, caller, machines, machineId, computer }: ActingRequest,
  actions: readonly JsonObject[],
  work: ComputerWork<Answer>,
  outcomeOf?: (answer: Answer) => Outcome,
): Promise<Answer> {
  const assignmentId = c.req.header(assignmentHeader)?.toLowerCase();
  const found =
    assignmentId === undefined ? undefined : await machines.findWithCalls(caller.organizationId, machineId);
  const assignment =
    assignmentId === undefined || found === undefined
      ? undefined
      : await requireAssignment(deps, caller, { machine: found.machine, assignmentId });
  const { personalActions, clock } = deps;
  const key = c.req.header("Idempotency-Key");
  const callId = key === undefined ? undefined : `${key} ${c.req.path}`;
  const hands = { personalActions, clock, caller, computer, callId, machineId, machines };
  const personal = new PersonalRecord(hands);
  const startedAtMs = clock.now();
  const record = async (outcome: Outcome) => {
    const isRepeat = c.res.headers.has("Idempotency-Status");
    if (isRepeat && assignment === undefined) await personal.recordRepeat(outcome.did);
    if (isRepeat) return;
    if (assignment === undefined) await personal.record(outcome);
    else await recordWorkerSteps(deps, assignment, { ...outcome, startedAtMs });
  };
  try {
    const answer = await work(assignment === undefined ? readOnce(personal.machines) : machines);
    const isDone = { did: actions.map((action) => ({ action, status: "done" as const })) };
    await record(outcomeOf === undefined ? isDone : outcomeOf(answer));
    return answer;
  } catch (error) {
    const status = statusOfRefusal(error);
    if (status !== undefined) {
      const words = error instanceof Error ? error.message : undefined;
      await record({ did: actions.map((action) => ({ action, status, error: words })) });
    }
    throw error;
  }
}

export function outcomeOfBatch(actions: readonly JsonObject[], { results, screenshot }: Batch): Outcome {
  return {
    did: actions.map((action, place) => {
      const { status = "unknown", error } = results[place] ?? {};
      return { action, status, error };
    }),
    picture: screenshot ?? undefined,
  };
}
