import { CallMeter } from "../../../shared/domain/call-meter.ts";
import type { Clock, Ids } from "../../../shared/domain/clock.ts";
import { DynamoApiKeyStore } from "../../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoRateLimiter } from "../../../shared/storage/access/dynamo-rate-limiter.ts";
import { DynamoTicketStore } from "../../../shared/storage/access/dynamo-ticket-store.ts";
import { DynamoAttachmentStore } from "../../../shared/storage/attachment/dynamo-attachment-store.ts";
import { DynamoConnectionStore } from "../../../shared/storage/connection/dynamo-connection-store.ts";
import { DynamoExecutionStore } from "../../../shared/storage/execution/dynamo-execution-store.ts";
import { DynamoHoldStore } from "../../../shared/storage/hold/dynamo-hold-store.ts";
import { DynamoIdempotencyStore } from "../../../shared/storage/idempotency/dynamo-idempotency-store.ts";
import { DynamoHintReader } from "../../../shared/storage/live/dynamo-hint-reader.ts";
import { DynamoHintStore } from "../../../shared/storage/live/dynamo-hint-store.ts";
import { DynamoLiveTicketStore } from "../../../shared/storage/live/dynamo-live-ticket-store.ts";
import { DynamoViewerStore } from "../../../shared/storage/live/dynamo-viewer-store.ts";
import { DynamoAuditLog } from "../../../shared/storage/log/dynamo-audit-log.ts";
import { DynamoRequestLog } from "../../../shared/storage/log/dynamo-request-log.ts";
import { DynamoMachineStore } from "../../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoDueStore } from "../../../shared/storage/maintenance/dynamo-due-store.ts";
import { DynamoFleetReader } from "../../../shared/storage/maintenance/dynamo-fleet-reader.ts";
import { DynamoMatchSweepStore } from "../../../shared/storage/maintenance/dynamo-match-sweep-store.ts";
import { DynamoSweepCursorStore } from "../../../shared/storage/maintenance/dynamo-sweep-cursor-store.ts";
import { DynamoVanishedMachineStore } from "../../../shared/storage/maintenance/dynamo-vanished-machine-store.ts";
import { DynamoMatchStore } from "../../../shared/storage/matching/dynamo-match-store.ts";
import { servicePlacesOf } from "../../../shared/storage/matching/dynamo-service-places.ts";
import { DynamoModelConfigurationStore } from "../../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoMembershipStore } from "../../../shared/storage/pool/dynamo-membership-store.ts";
import { DynamoPoolStore } from "../../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoPromptImageStore } from "../../../shared/storage/prompt-image/dynamo-prompt-image-store.ts";
import { DynamoPlatformTokenStore } from "../../../shared/storage/provider/dynamo-platform-token-store.ts";
import { DynamoProviderCredentialStore } from "../../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { DynamoRecordingStore } from "../../../shared/storage/recording/dynamo-recording-store.ts";
import { DynamoIndexedKeyStore } from "../../../shared/storage/run/dynamo-indexed-key-store.ts";
import { DynamoInputSourceStore } from "../../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSecretOwnerStore } from "../../../shared/storage/run/dynamo-secret-owner-store.ts";
import { DynamoDueScheduleStore } from "../../../shared/storage/schedule/dynamo-due-schedule-store.ts";
import { DynamoScheduleStore } from "../../../shared/storage/schedule/dynamo-schedule-store.ts";
import { DynamoSessionStore } from "../../../shared/storage/session/dynamo-session-store.ts";
import type { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { findTableId, ownTableId } from "../../../shared/storage/table/table-id.ts";
import { DynamoTrajectoryStore } from "../../../shared/storage/trajectory/dynamo-trajectory-store.ts";
import { DynamoCallRecords } from "../../../shared/storage/tunnel/dynamo-call-records.ts";
import { DynamoCallSlots } from "../../../shared/storage/tunnel/dynamo-call-slots.ts";
import { DynamoCallsUnderWay } from "../../../shared/storage/tunnel/dynamo-calls-under-way.ts";
import { DynamoMailboxStore } from "../../../shared/storage/tunnel/dynamo-mailbox-store.ts";
import { DynamoUsageStore } from "../../../shared/storage/usage/dynamo-usage-store.ts";
import { DynamoWaitingStore } from "../../../shared/storage/waiting/dynamo-waiting-store.ts";
import { DynamoWaitingView } from "../../../shared/storage/waiting/dynamo-waiting-view.ts";
import { DynamoWaitingPlaces } from "../../../shared/storage/waiting-places/dynamo-waiting-places.ts";
import { DynamoDeliveryStore } from "../../../shared/storage/webhook/dynamo-delivery-store.ts";
import { DynamoSendStore } from "../../../shared/storage/webhook/dynamo-send-store.ts";
import { DynamoWebhookEndpointStore } from "../../../shared/storage/webhook/dynamo-webhook-endpoint-store.ts";
import { DynamoWorkflowStore } from "../../../shared/storage/workflow/dynamo-workflow-store.ts";
import { DynamoTagStore } from "../../../shared/storage/workflow-tag/dynamo-tag-store.ts";
import { organizationSendsMax } from "../../../shared/vocabulary/events.ts";
import { putInto } from "../builders/put.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";

interface TableStoresOptions<AnyClock extends Clock> {
  readonly table: DynamoTable;
  readonly clock: AnyClock;
  /** Rows that a search may read. @default 10_000 */
  readonly searchRowsMax?: number | undefined;
  /** @default 50 */
  readonly organizationExecutionsMax?: number | undefined;
  /** @default none */
  readonly serviceExecutionsMax?: number | undefined;
  readonly organizationSendsMax?: number | undefined;
}

export function tableStores<AnyClock extends Clock>(options: TableStoresOptions<AnyClock>) {
  const { table, clock, searchRowsMax = 10_000, organizationExecutionsMax = 50 } = options;
  const { serviceExecutionsMax } = options;
  const servicePlaces = servicePlacesOf({ table, clock, serviceExecutionsMax });
  const limits = { organizationExecutionsMax, serviceExecutionsMax, servicePlaces };
  const deps = { table, clock, searchRowsMax, stepDays: 30, ...limits };
  const stores = {
    table,
    clock,
    apiKeys: new DynamoApiKeyStore(deps),
    auditLog: new DynamoAuditLog({ ...deps, days: 400 }),
    requestLog: new DynamoRequestLog({ ...deps, days: 7 }),
    attachments: new DynamoAttachmentStore(deps),
    connections: new DynamoConnectionStore(deps),
    due: new DynamoDueStore(deps),
    executions: new DynamoExecutionStore(deps),
    holds: new DynamoHoldStore(deps),
    idempotencyRecords: new DynamoIdempotencyStore(deps),
    indexedKeys: new DynamoIndexedKeyStore(deps),
    inputSources: new DynamoInputSourceStore(deps),
    machines: new DynamoMachineStore(deps),
    mailboxes: new DynamoMailboxStore(deps),
    callRecords: new DynamoCallRecords(deps),
    slots: new DynamoCallSlots(deps),
    callsUnderWay: new DynamoCallsUnderWay(deps),
    matches: new DynamoMatchStore(deps),
    servicePlaces,
    matchSweep: new DynamoMatchSweepStore(deps),
    fleet: new DynamoFleetReader(deps),
    calls: new CallMeter(),
    memberships: new DynamoMembershipStore(deps),
    pools: new DynamoPoolStore(deps),
    providerCredentials: new DynamoProviderCredentialStore(deps),
    rateLimiter: new DynamoRateLimiter(deps),
    recordings: new DynamoRecordingStore(deps),
    runs: new DynamoRunStore(deps),
    schedules: new DynamoScheduleStore(deps),
    dueSchedules: new DynamoDueScheduleStore(deps),
    secretOwners: new DynamoSecretOwnerStore(deps),
    sessions: new DynamoSessionStore(deps),
    sweepCursors: new DynamoSweepCursorStore(deps),
    tableId: {
      find: () => findTableId(table),
      own: (ids: Ids) => ownTableId(table, ids),
    },
    tags: new DynamoTagStore(deps),
    platformTokens: new DynamoPlatformTokenStore(deps),
    modelConfigurations: new DynamoModelConfigurationStore(deps),
    promptImages: new DynamoPromptImageStore(deps),
    liveTickets: new DynamoLiveTicketStore(deps),
    hints: new DynamoHintStore(deps),
    hintReader: new DynamoHintReader(deps),
    viewers: new DynamoViewerStore(deps),
    tickets: new DynamoTicketStore(deps),
    vanished: new DynamoVanishedMachineStore(deps),
    trajectories: new DynamoTrajectoryStore(deps),
    usage: new DynamoUsageStore(deps),
    waiting: new DynamoWaitingStore(deps),
    waitingPlaces: new DynamoWaitingPlaces({ ...deps, waitKind: "run", waitsMax: 100 }),
    lookPlaces: new DynamoWaitingPlaces({ ...deps, waitKind: "look", waitsMax: 100 }),
    waitingView: new DynamoWaitingView(deps),
    webhookEndpoints: new DynamoWebhookEndpointStore(deps),
    deliveries: new DynamoDeliveryStore(deps),
    sends: new DynamoSendStore({
      ...deps,
      organizationSendsMax: options.organizationSendsMax ?? organizationSendsMax,
    }),
    workflows: new DynamoWorkflowStore(deps),
  };
  return { ...stores, put: putInto(stores) };
}

export type TableStores = ReturnType<typeof tableStores<FakeClock>>;

export type CreateTableStores = (options?: {
  readonly clock?: FakeClock;
  readonly searchRowsMax?: number;
}) => TableStores;
