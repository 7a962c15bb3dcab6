import { referencedAliases } from "../run/inputs/resolve-references.ts";
import type { Run } from "../run/run.ts";
import type { QueueEntry, WaitingRunEntry } from "../run/waiting/queue-entry.ts";
import { placementOf, targetOfRun } from "../run/waiting/target.ts";
import type { Session } from "../session/session.ts";

export function entryOfRun(
  run: Pick<
    Run,
    | "id"
    | "organizationId"
    | "isPriority"
    | "queuedAt"
    | "sessionId"
    | "namedMachineId"
    | "poolIds"
    | "chainId"
    | "chainRunIds"
    | "workflowId"
    | "inputValues"
    | "secretId"
    | "executor"
    | "triedMachineId"
  >,
): WaitingRunEntry {
  return {
    organizationId: run.organizationId,
    target: targetOfRun(run),
    isPriority: run.isPriority,
    queuedAtMs: Date.parse(run.queuedAt),
    waiting: {
      kind: "run",
      runId: run.id,
      chainId: run.chainId,
      workflowId: run.workflowId,
      poolIds: run.poolIds,
      earlierRunIds: earlierRunIds(run),
      ...(run.secretId !== null && { hasSecret: true }),
      ...(run.executor === "service" && { executor: "service" }),
      ...(run.triedMachineId !== null && { triedMachineId: run.triedMachineId }),
    },
  };
}

export function earlierRunIds(run: Pick<Run, "chainId" | "chainRunIds" | "inputValues">): readonly string[] {
  if (run.chainId === null) return [];
  const ids = referencedAliases(run.inputValues).map((alias) => run.chainRunIds[alias]);
  return ids.filter((id) => id !== undefined);
}

export function entryOfSession(session: Session): QueueEntry {
  return {
    organizationId: session.organizationId,
    target: placementOf(session),
    isPriority: session.isPriority,
    queuedAtMs: Date.parse(session.createdAt),
    waiting: { kind: "session", sessionId: session.id },
  };
}
