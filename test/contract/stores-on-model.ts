import type { Clock } from "../../shared/domain/clock.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoRateLimiter } from "../../shared/storage/access/dynamo-rate-limiter.ts";
import { DynamoTicketStore } from "../../shared/storage/access/dynamo-ticket-store.ts";
import { DynamoAttachmentStore } from "../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoConnectionStore } from "../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoSweepCursorStore } from "../../shared/storage/maintenance/dynamo-sweep-cursor-store.ts";
import { DynamoMatchStore } from "../../shared/storage/matching/dynamo-match-store.ts";
import { DynamoMembershipStore } from "../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoProviderCredentialStore } from "../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../shared/storage/session/dynamo-session-store.ts";
import { DynamoIdempotencyStore } from "../../shared/storage/table/dynamo-idempotency-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { DynamoTrajectoryStore } from "../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoMailboxStore } from "../../shared/storage/tunnel/dynamo-mailbox-store.ts";
import { DynamoTagStore } from "../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoModel } from "../support/dynamo-model/dynamo-model.ts";

/** The adapters of the table, on an empty model of it. */
export function storesOnModel(clock: Clock) {
  const model = new DynamoModel();
  const table = new DynamoTable({ client: model.client, tableName: "model", clock });
  const stores = {
    apiKeys: new DynamoApiKeyStore({ table }),
    attachments: new DynamoAttachmentStore({ table, clock }),
    connections: new DynamoConnectionStore({ table }),
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    machines: new DynamoMachineStore({ table, clock }),
    mailboxes: new DynamoMailboxStore({ table, clock }),
    matches: new DynamoMatchStore({ table }),
    memberships: new DynamoMembershipStore({ table, clock }),
    pools: new DynamoPoolStore({ table, clock }),
    providerCredentials: new DynamoProviderCredentialStore({ table, clock }),
    rateLimiter: new DynamoRateLimiter({ table, clock }),
    runs: new DynamoRunStore({ table, clock }),
    sessions: new DynamoSessionStore({ table }),
    sweepCursors: new DynamoSweepCursorStore({ table }),
    tags: new DynamoTagStore({ table, clock }),
    tickets: new DynamoTicketStore({ table, clock }),
    trajectories: new DynamoTrajectoryStore({ table, clock }),
    workflows: new DynamoWorkflowStore({ table, clock }),
  };
  return { model, table, stores };
}

export type Stores = ReturnType<typeof storesOnModel>["stores"];
