import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { type Clock, type Ids, isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import type { ExecutionStore } from "../execution/execution-store.ts";
import { noTrail } from "../execution/step/trail.ts";
import type { FileStore } from "../file-store.ts";
import type { JsonObject } from "../json.ts";
import type { Logger } from "../logger.ts";
import type { Machine } from "../machine/machine.ts";
import type { InheritedSecretDeps } from "../run/inputs/inherited-secret-values.ts";
import type { Run } from "../run/run.ts";
import type { RunStore } from "../run/run-store.ts";
import type { RunStep } from "../run-step/run-step.ts";
import type { SecretValues } from "../secret-store.ts";
import { uncertainErrors } from "../tunnel/call-driver.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import { secretsOfRun, withoutSecrets } from "./secrets-of-run.ts";

export interface WorkerStepDeps extends InheritedSecretDeps {
  readonly executions: Pick<ExecutionStore, "appendSteps">;
  readonly runs: Pick<RunStore, "findWithLastIndex" | "readSecret">;
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly files: Pick<FileStore, "stepKey" | "put">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface WorkersAssignment {
  readonly run: Run;
  readonly assignmentId: string;
  readonly lastIndex: number;
}

/** @throws {DomainError} `insufficient_scope`, or `assignment_mismatch` unless it is that of the machine's run. */
export async function requireAssignment(
  deps: Pick<WorkerStepDeps, "runs">,
  caller: Caller,
  { machine, assignmentId }: { readonly machine: Machine; readonly assignmentId: string },
): Promise<WorkersAssignment> {
  requireScope(caller, "write", "worker");
  const { currentRunId } = machine;
  if (currentRunId !== null) {
    const { run, lastIndex } = await deps.runs.findWithLastIndex(caller.organizationId, currentRunId);
    const isIts = run?.status === "running" && run.assignmentId === assignmentId;
    if (isIts && run.executor === "worker") return { run, assignmentId, lastIndex };
  }
  throw new DomainError(
    "assignment_mismatch",
    `the machine ${machine.id} has no run of that assignment which a worker carries out; nothing was done. GET /v1/runs?status=running&machine_id=${machine.id} shows its run with the assignment_id`,
  );
}

interface WorkersAction {
  readonly action: JsonObject;
  readonly status: RunStep["status"];
  readonly error?: string | undefined;
}

export interface WorkersCall {
  readonly startedAtMs: number;
  readonly did: readonly WorkersAction[];
  /** The screen after the last action that was tried. */
  readonly picture?:
    | { readonly width: number; readonly height: number; readonly png: Uint8Array }
    | undefined;
}

/** Returns undefined when nothing was done. */
export function statusOfRefusal(error: unknown): "failed" | "unknown" | undefined {
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === "outcome_unknown" || uncertainErrors.has(error.code)) return "unknown";
  return refused.has(error.code) ? "failed" : undefined;
}

const refused: ReadonlySet<ErrorCode> = new Set(["driver_rejected", "driver_failed"]);

/** A step that cannot be recorded is logged, and the worker's call succeeds, because its action is done. */
export async function recordWorkerSteps(
  deps: WorkerStepDeps,
  { run, assignmentId, lastIndex }: WorkersAssignment,
  call: WorkersCall,
): Promise<void> {
  try {
    const secrets = call.did.some(({ action, error }) => mayShowSecret(action) || error)
      ? await secretsOfRun(deps, run)
      : {};
    const did = call.did.map((each) => shown(each, secrets));
    const isSecret = did.some(({ action }, place) => action.text !== call.did[place]?.action.text);
    const kept = isSecret ? undefined : await keepPicture(deps, run, call.picture);
    const last = did.findLastIndex(({ status }) => status !== "skipped");
    const steps = did.map(({ action, status, error = null }, place) => ({
      organizationId: run.organizationId,
      runId: run.id,
      assignmentId,
      attempt: run.attempt,
      source: "worker" as const,
      action,
      status,
      error,
      inAttempt: null,
      text: null,
      model: null,
      usage: null,
      match: null,
      trail: noTrail,
      ...((place === last && kept) || { screenshot: null, pictureKey: null }),
      startedAt: isoTimestamp(call.startedAtMs),
      durationMs: did.length === 1 ? Math.max(0, deps.clock.now() - call.startedAtMs) : null,
    }));
    await deps.executions.appendSteps(steps, lastIndex);
  } catch (cause) {
    deps.logger.error("a worker's step was not recorded", {
      run_id: run.id,
      assignment_id: assignmentId,
      cause,
    });
  }
}

/** Workers' fields that may contain a secret. */
const texts = ["text", "command"] as const;

function mayShowSecret(action: JsonObject): boolean {
  return texts.some((name) => typeof action[name] === "string");
}

function shown({ action, status, error }: WorkersAction, secrets: SecretValues | undefined): WorkersAction {
  const fields = Object.entries(action).flatMap(([name, value]) => {
    if (!texts.some((each) => each === name) || typeof value !== "string") return [[name, value] as const];
    return secrets === undefined ? [] : [[name, withoutSecrets(value, secrets)] as const];
  });
  return {
    action: Object.fromEntries(fields),
    status,
    error: error && (secrets === undefined ? "the desktop refused it" : withoutSecrets(error, secrets)),
  };
}

async function keepPicture(
  deps: WorkerStepDeps,
  { organizationId, id, workflowId }: Run,
  picture: WorkersCall["picture"],
): Promise<Pick<RunStep, "screenshot" | "pictureKey"> | undefined> {
  if (picture === undefined) return undefined;
  const workflow = await deps.workflows.find(organizationId, workflowId);
  if (workflow?.keepScreenshots !== true) return undefined;
  const { width, height, png } = picture;
  const pictureKey = deps.files.stepKey(organizationId, id, deps.ids.uuid7());
  await deps.files.put(pictureKey, png, "image/png");
  return { screenshot: { width, height }, pictureKey };
}
