import type { Run } from "../run.ts";
import type { NewRuns } from "../run-store.ts";

export function planRuns(
  runs: readonly Run[],
  beside: Pick<NewRuns, "organizationId" | "attachments" | "secret" | "session">,
): NewRuns {
  const named = (idsOf: (run: Run) => readonly (string | null)[]) =>
    [...new Set(runs.flatMap(idsOf))].filter((id): id is string => id !== null && id !== beside.session?.id);
  return {
    runs,
    ...beside,
    required: {
      workflowIds: named(({ workflowId }) => [workflowId]),
      machineIds: named(({ machineId }) => [machineId]),
      poolIds: named(({ poolIds }) => poolIds),
      sessionIds: named(({ sessionId }) => [sessionId]),
    },
  };
}
