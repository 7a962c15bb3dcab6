import { createdAtOfId } from "../../derive-id.ts";
import type { Run } from "../run.ts";
import { noOverrides } from "../run-overrides.ts";
import type { NewRuns } from "../run-store.ts";

export type RunSettings = Pick<Run, "executor" | "isWebhooksEnabled">;

export const defaultSettings: RunSettings = { executor: "worker", isWebhooksEnabled: false };

const defaults = {
  overrides: noOverrides,
  trajectoryId: null,
  dryRunUntil: null,
  scheduleId: null,
  machineId: null,
  namedMachineId: null,
  poolIds: [],
  inputValues: {},
  sensitiveAliases: [],
  secretId: null,
  isPriority: false,
  metadata: {},
  sessionId: null,
  sessionAlias: null,
  releaseSessionAfter: false,
  chainId: null,
  chainStep: null,
  chainRunIds: {},
  chainKeepsSession: false,
  continueOnFailure: false,
  inputAttachmentIds: [],
} as const satisfies Partial<Run>;

export interface NewRun
  extends Pick<Run, "id" | "organizationId" | "userId" | "workflowId">,
    RunSettings,
    Partial<Pick<Run, keyof typeof defaults>> {
  /** @default the time of the creation, which is in the id */
  readonly queuedAt?: string | undefined;
}

export function newRun(known: NewRun): Run {
  const createdAt = createdAtOfId(known.id);
  return {
    ...defaults,
    attempt: 1,
    namedMachineId: known.machineId ?? null,
    ...known,
    ...scheduled(known.queuedAt ?? createdAt),
    createdAt,
    deletedAt: null,
    revision: 1,
  };
}

export function scheduled(queuedAt: string) {
  return {
    status: "scheduling",
    held: null,
    outputData: null,
    runMessageHistory: null,
    error: [],
    errorCode: null,
    usageMetadata: null,
    modelTokens: [],
    assignmentId: null,
    serviceShard: null,
    outputAttachmentIds: [],
    inheritedSecrets: {},
    inheritedNames: [],
    triedMachineId: null,
    queuedAt,
    startedAt: null,
    endedAt: null,
  } as const satisfies Partial<Run>;
}

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
