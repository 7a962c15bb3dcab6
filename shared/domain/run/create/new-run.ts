import { isoTimestamp } from "../../clock.ts";
import type { Run } from "../run.ts";

/** What a request specifies of a new run; the other fields have fixed initial values. */
export interface NewRun
  extends Pick<Run, "id" | "organizationId" | "userId" | "workflowId">,
    Partial<
      Pick<
        Run,
        | "machineId"
        | "namedMachineId"
        | "poolIds"
        | "inputValues"
        | "sensitiveAliases"
        | "secretName"
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

/** A run that waits for a machine. */
export function newRun({ createdAtMs, ...known }: NewRun): Run {
  return {
    machineId: null,
    namedMachineId: known.machineId ?? null,
    poolIds: [],
    inputValues: {},
    sensitiveAliases: [],
    secretName: null,
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
    status: "scheduling",
    outputData: null,
    runMessageHistory: null,
    error: [],
    usageMetadata: null,
    assignmentId: null,
    outputAttachmentIds: [],
    inheritedSecrets: {},
    createdAt: isoTimestamp(createdAtMs),
    queuedAt: isoTimestamp(createdAtMs),
    startedAt: null,
    endedAt: null,
    deletedAt: null,
    revision: 1,
  };
}
