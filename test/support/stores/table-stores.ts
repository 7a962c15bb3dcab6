import type { Clock } from "../../../shared/domain/clock.ts";
import { DynamoApiKeyStore } from "../../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoRateLimiter } from "../../../shared/storage/access/dynamo-rate-limiter.ts";
import { DynamoTicketStore } from "../../../shared/storage/access/dynamo-ticket-store.ts";
import { DynamoAttachmentStore } from "../../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoConnectionStore } from "../../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoDueStore } from "../../../shared/storage/maintenance/dynamo-due-store.ts";
import { DynamoMatchSweepStore } from "../../../shared/storage/maintenance/dynamo-match-sweep-store.ts";
import { DynamoSweepCursorStore } from "../../../shared/storage/maintenance/dynamo-sweep-cursor-store.ts";
import { DynamoVanishedMachineStore } from "../../../shared/storage/maintenance/dynamo-vanished-machine-store.ts";
import { DynamoMatchStore } from "../../../shared/storage/matching/dynamo-match-store.ts";
import { DynamoMembershipStore } from "../../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoProviderCredentialStore } from "../../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { DynamoInputSourceStore } from "../../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSecretOwnerStore } from "../../../shared/storage/run/dynamo-secret-owner-store.ts";
import { DynamoSessionStore } from "../../../shared/storage/session/dynamo-session-store.ts";
import { DynamoIdempotencyStore } from "../../../shared/storage/table/dynamo-idempotency-store.ts";
import type { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoTrajectoryStore } from "../../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoMailboxStore } from "../../../shared/storage/tunnel/dynamo-mailbox-store.ts";
import { DynamoWaitingStore } from "../../../shared/storage/waiting/dynamo-waiting-store.ts";
import { DynamoWaitingView } from "../../../shared/storage/waiting/dynamo-waiting-view.ts";
import { DynamoWorkflowStore } from "../../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { putInto } from "../builders/put.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";

interface TableStoresOptions<AnyClock extends Clock> {
  readonly table: DynamoTable;
  readonly clock: AnyClock;
  /** Rows that a search may read. @default 10_000 */
  readonly searchRowsMax?: number | undefined;
}

/** Every adapter over one table. */
export function tableStores<AnyClock extends Clock>(options: TableStoresOptions<AnyClock>) {
  const { table, clock, searchRowsMax = 10_000 } = options;
  const searched = { table, clock, searchRowsMax };
  const stores = {
    table,
    clock,
    apiKeys: new DynamoApiKeyStore({ table }),
    attachments: new DynamoAttachmentStore({ table, clock }),
    connections: new DynamoConnectionStore({ table }),
    due: new DynamoDueStore({ table }),
    idempotencyRecords: new DynamoIdempotencyStore({ table, clock }),
    inputSources: new DynamoInputSourceStore({ table }),
    machines: new DynamoMachineStore(searched),
    mailboxes: new DynamoMailboxStore({ table, clock }),
    matches: new DynamoMatchStore({ table }),
    matchSweep: new DynamoMatchSweepStore({ table }),
    memberships: new DynamoMembershipStore({ table, clock }),
    pools: new DynamoPoolStore(searched),
    providerCredentials: new DynamoProviderCredentialStore({ table, clock }),
    rateLimiter: new DynamoRateLimiter({ table, clock }),
    runs: new DynamoRunStore(searched),
    secretOwners: new DynamoSecretOwnerStore({ table }),
    sessions: new DynamoSessionStore({ table }),
    sweepCursors: new DynamoSweepCursorStore({ table }),
    tags: new DynamoTagStore({ table, clock }),
    tickets: new DynamoTicketStore({ table, clock }),
    vanished: new DynamoVanishedMachineStore({ table, clock }),
    trajectories: new DynamoTrajectoryStore(searched),
    waiting: new DynamoWaitingStore({ table }),
    waitingView: new DynamoWaitingView({ table }),
    workflows: new DynamoWorkflowStore(searched),
  };
  return { ...stores, put: putInto(stores) };
}

/** Those of tests, whose clock stands still. */
export type TableStores = ReturnType<typeof tableStores<FakeClock>>;

/** How a suite gets them, for each test anew. */
export type CreateTableStores = (options?: {
  readonly clock?: FakeClock;
  readonly searchRowsMax?: number;
}) => TableStores;
