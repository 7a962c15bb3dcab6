import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock, Ids } from "../../../shared/domain/clock.ts";
import type { Logger } from "../../../shared/domain/logger.ts";
import { createWaitingRuns } from "../../../shared/domain/run/waiting/cancel-waiting-runs.ts";
import type { InputChecker } from "../../../shared/domain/run/inputs/input-checker.ts";
import { DynamoAttachmentStore } from "../../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoConnectionStore } from "../../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoMatchStore } from "../../../shared/storage/matching/dynamo-match-store.ts";
import { DynamoMembershipStore } from "../../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../../shared/storage/session/dynamo-session-store.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoTagStore } from "../../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { DynamoTrajectoryStore } from "../../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoWaitingStore } from "../../../shared/storage/waiting/dynamo-waiting-store.ts";
import { DynamoWorkflowStore } from "../../../shared/storage/workflow/dynamo-workflow-store.ts";
import { InMemoryFileStore } from "../fakes/in-memory-file-store.ts";
import { InMemorySecretStore } from "../fakes/in-memory-secret-store.ts";

export interface SimStoresOptions {
  readonly client: Pick<DynamoDBClient, "send">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Says yes: what is wrong with inputs is no matter of order. */
const checker: InputChecker = {
  check: async () => ({ kind: "valid" }),
  checkSchema: async () => ({ kind: "valid" }),
};

/** All that the verbs take: the real adapters over a table. */
export function simStores({ client, clock, ids, logger }: SimStoresOptions) {
  // Pauses of half their longest: the scheduler has the choices that matter.
  const table = new DynamoTable({ client, tableName: "model", clock, random: () => 0.5 });
  const stored = { table, clock };
  const runs = new DynamoRunStore(stored);
  return {
    ...{ clock, ids, logger, checker, runs },
    machines: new DynamoMachineStore(stored),
    connections: new DynamoConnectionStore({ table }),
    memberships: new DynamoMembershipStore({ table, clock }),
    pools: new DynamoPoolStore(stored),
    workflows: new DynamoWorkflowStore(stored),
    tags: new DynamoTagStore(stored),
    trajectories: new DynamoTrajectoryStore(stored),
    attachments: new DynamoAttachmentStore(stored),
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    matches: new DynamoMatchStore({ table }),
    sessions: new DynamoSessionStore({ table }),
    waiting: new DynamoWaitingStore({ table }),
    waitingRuns: createWaitingRuns({ runs, clock }),
    secrets: new InMemorySecretStore(clock),
    files: new InMemoryFileStore(clock),
    dismissal: { dismiss: async () => {} },
    events: { publish: async () => [] },
    inputChecker: checker,
    // Creations judge no inputs here: the assignment does.
    inputSources: { read: async () => ({ workflow: undefined, machine: undefined, pools: [] }) },
  };
}

export type SimStores = ReturnType<typeof simStores>;
