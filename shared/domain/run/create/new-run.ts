import { isoTimestamp } from "../../clock.ts";
import type { Run } from "../run.ts";
import { noOverrides } from "../run-overrides.ts";

export type RunSettings = Pick<Run, "executor" | "isWebhooksEnabled">;

export const defaultSettings: RunSettings = { executor: "worker", isWebhooksEnabled: false };

export interface NewRun
  extends Pick<Run, "id" | "organizationId" | "userId" | "workflowId">,
    RunSettings,
    Partial<
      Pick<
        Run,
        | "overrides"
        | "trajectoryId"
        | "dryRunUntil"
        | "machineId"
        | "namedMachineId"
        | "poolIds"
        | "inputValues"
        | "sensitiveAliases"
        | "secretId"
        | "isPriority"
        | "sessionId"
        | "sessionAlias"
        | "releaseSessionAfter"
        | "chainId"
        | "chainStep"
        | "chainRunIds"
        | "chainKeepsSession"
        | "continueOnFailure"
        | "inputAttachmentIds"
      >
    > {
  readonly createdAtMs: number;
}

export function newRun({ createdAtMs, ...known }: NewRun): Run {
  return {
    overrides: noOverrides,
    trajectoryId: null,
    dryRunUntil: null,
    attempt: 1,
    machineId: null,
    namedMachineId: known.machineId ?? null,
    poolIds: [],
    inputValues: {},
    sensitiveAliases: [],
    secretId: null,
    isPriority: false,
    sessionId: null,
    sessionAlias: null,
    releaseSessionAfter: false,
    chainId: null,
    chainStep: null,
    chainRunIds: {},
    chainKeepsSession: false,
    continueOnFailure: false,
    inputAttachmentIds: [],
    ...known,
    ...scheduled(isoTimestamp(createdAtMs)),
    createdAt: isoTimestamp(createdAtMs),
    deletedAt: null,
    revision: 1,
  };
}

export function scheduled(queuedAt: string) {
  return {
    status: "scheduling",
    outputData: null,
    runMessageHistory: null,
    error: [],
    errorCode: null,
    usageMetadata: null,
    modelTokens: [],
    assignmentId: null,
    outputAttachmentIds: [],
    inheritedSecrets: {},
    inheritedNames: [],
    triedMachineId: null,
    queuedAt,
    startedAt: null,
    endedAt: null,
  } as const satisfies Partial<Run>;
}
