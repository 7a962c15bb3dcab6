import { deliver } from "../../../shared/domain/webhook/delivery/deliver.ts";
import type { Delivery, DeliveryJob } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { firstAttempt } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { queueSend } from "../../../shared/domain/webhook/delivery/queue-send.ts";
import type { WebhookEndpoint } from "../../../shared/domain/webhook/webhook-endpoint.ts";
import { readDeliveryJob } from "../../../shared/webhooks/read-delivery-job.ts";
import { aDelivery } from "../builders/webhooks.ts";
import { createModelStores, type ModelStoresOptions } from "../stores/model-stores.ts";
import { RecordingLogger } from "../tunnel-world/recording-logger.ts";
import type { KillSwitch } from "./kill-switch.ts";
import { MemoryDurable } from "./memory-durable.ts";

export const webhookBody = '{"event_type":"run.complete"}';

/** Deliveries on the model of DynamoDB, with the engine in memory: a test says which execution goes on. */
export function webhooksWorld(options: ModelStoresOptions = {}) {
  const stores = createModelStores(options);
  const { clock } = stores;
  const deps = { ...stores, logger: new RecordingLogger() };
  const now = () => new Date(clock.now()).toISOString();

  const add = async (endpoint: WebhookEndpoint) => {
    const secret = stores.mintSigningSecret();
    await stores.secrets.create(endpoint.secretName, { secret });
    await stores.webhookEndpoints.create(endpoint);
    return secret;
  };
  const put = async (endpoint: WebhookEndpoint): Promise<Delivery> => {
    const delivery = aDelivery(endpoint, { createdAt: now(), roundStartedAt: now() });
    const { eventId, createdAt, organizationId } = delivery;
    await stores.deliveries.putMessage({ organizationId, eventId, body: webhookBody, createdAt });
    await stores.deliveries.create(delivery);
    return delivery;
  };
  const queue = async (delivery: Delivery) => await queueSend(deps, firstAttempt(delivery));
  const begun = new Set<string>();
  /** Returns the started executions that were not returned yet. */
  const takeStarted = (): readonly DeliveryJob[] => {
    const fresh = stores.deliveryStarter.started.filter(({ name }) => !begun.has(name));
    for (const { name } of fresh) begun.add(name);
    return fresh.map(({ payload }) => readDeliveryJob(payload));
  };
  const carryOut = async (job: DeliveryJob, kills?: KillSwitch) => {
    const durable = new MemoryDurable({ clock, ...(kills && { kills }) });
    const outcome = await durable.run((engine) => deliver(engine, deps, job));
    return { outcome, operations: durable.operations };
  };
  /** Carries out what is started, also by that, one after the other. */
  const carryOutAll = async () => {
    const done: Awaited<ReturnType<typeof carryOut>>[] = [];
    for (let jobs = takeStarted(); jobs.length > 0; jobs = takeStarted()) {
      for (const job of jobs) done.push(await carryOut(job));
    }
    return done;
  };
  return { ...stores, deps, add, put, queue, takeStarted, carryOut, carryOutAll };
}
