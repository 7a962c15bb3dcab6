import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { isPassing } from "../../../shared/aws/aws-failure.ts";
import type { Clock } from "../../../shared/domain/clock.ts";
import { createAsyncActs } from "../../../shared/runtime/async-acts.ts";
import { readRun } from "../../../shared/storage/stream/stream-events.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { deriveUuid7 } from "../../../shared/webhooks/derive-uuid7.ts";
import { mintSigningSecret } from "../../../shared/webhooks/sign.ts";
import { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { testEncryption as encryption } from "../fakes/fake-data-key.ts";
import { FakeSigner } from "../fakes/fake-signer.ts";
import { InMemoryDeliveries } from "../fakes/in-memory-deliveries.ts";
import { InMemoryEventPublisher } from "../fakes/in-memory-event-publisher.ts";
import { InMemoryExecutions } from "../fakes/in-memory-executions.ts";
import { InMemoryFileStore, testTableId } from "../fakes/in-memory-file-store.ts";
import { InMemorySecretStore } from "../fakes/in-memory-secret-store.ts";
import { InMemorySetAside } from "../fakes/in-memory-set-aside.ts";
import { RecordedCallbacks } from "../fakes/recorded-callbacks.ts";
import { ScriptedWebhookSender } from "../fakes/scripted-webhook-sender.ts";
import { SequentialIds } from "../fakes/sequential-ids.ts";
import { tableStores } from "./table-stores.ts";

export interface ModelStoresOptions {
  readonly clock?: FakeClock;
  /** @default an empty one */
  readonly model?: DynamoModel;
  /** @default the model's own */
  readonly client?: Pick<DynamoDBClient, "send">;
  readonly searchRowsMax?: number;
  readonly organizationSendsMax?: number;
}

export function createModelStores(options: ModelStoresOptions = {}) {
  const { clock = new FakeClock(), model = new DynamoModel(), searchRowsMax, organizationSendsMax } = options;
  const { client = model.client } = options;
  const acts = createAsyncActs();
  const table = new DynamoTable({ client, tableName: "model", clock, encryption, acts });
  const durable = new InMemoryExecutions();
  return {
    ...tableStores({ table, clock, searchRowsMax, organizationSendsMax }),
    model,
    callbacks: new RecordedCallbacks(),
    acts,
    ids: new SequentialIds(clock),
    signer: new FakeSigner(),
    idempotencySigner: new FakeSigner(),
    events: new InMemoryEventPublisher(),
    setAside: new InMemorySetAside(),
    isPassing,
    secrets: new InMemorySecretStore(clock),
    files: new InMemoryFileStore(clock),
    ownTableId: async () => testTableId,
    durable,
    starter: durable,
    finder: durable,
    deliveryStarter: new InMemoryDeliveries(),
    deliveryExecutions: new InMemoryExecutions(),
    webhookSender: new ScriptedWebhookSender(clock),
    mintSigningSecret,
    deriveUuid7,
    readRun,
  };
}

export type ModelStores = ReturnType<typeof createModelStores>;

export function storesOnModel<AnyClock extends Clock>(clock: AnyClock) {
  const model = new DynamoModel();
  const table = new DynamoTable({ client: model.client, tableName: "model", clock, encryption });
  return { model, table, stores: tableStores({ table, clock }) };
}

export type StoresOnModel = ReturnType<typeof storesOnModel<Clock>>["stores"];
