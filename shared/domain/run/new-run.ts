import { isoMoment } from "../clock.ts";
import type { Run } from "./run.ts";

/** What a request says of a run that is to be; the rest is what every run begins with. */
export interface NewRun
  extends Pick<Run, "id" | "organizationId" | "userId" | "workflowId">,
    Partial<
      Pick<
        Run,
        | "machineId"
        | "poolIds"
        | "inputValues"
        | "sensitiveAliases"
        | "secretName"
        | "sessionId"
        | "sessionAlias"
        | "releaseSessionAfter"
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
    poolIds: [],
    inputValues: {},
    sensitiveAliases: [],
    secretName: null,
    sessionId: null,
    sessionAlias: null,
    releaseSessionAfter: false,
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
    createdAt: isoMoment(createdAtMs),
    startedAt: null,
    endedAt: null,
    deletedAt: null,
    revision: 1,
  };
}
