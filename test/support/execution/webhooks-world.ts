import { beginAttempt } from "../../../shared/domain/webhook/delivery/begin-attempt.ts";
import { deliver } from "../../../shared/domain/webhook/delivery/deliver.ts";
import type { Delivery, DeliveryJob } from "../../../shared/domain/webhook/delivery/delivery.ts";
import { firstAttempt } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { queueSend } from "../../../shared/domain/webhook/delivery/queue-send.ts";
import type { WebhookEndpoint } from "../../../shared/domain/webhook/webhook-endpoint.ts";
import { readDeliveryExecution } from "../../../shared/webhooks/read-delivery-job.ts";
import { aDelivery } from "../builders/webhooks.ts";
import { DynamoModel } from "../dynamo-model/dynamo-model.ts";
import { createModelStores, type ModelStoresOptions } from "../stores/model-stores.ts";
import { RecordingLogger } from "../tunnel-world/recording-logger.ts";
import type { KillSwitch } from "./kill-switch.ts";
import { MemoryDurable } from "./memory-durable.ts";

export const webhookBody = '{"event_type":"run.complete"}';

/** Lambda repeats an asynchronous invocation that was killed after a minute, and sooner after an error of its own. */
const repeatedAfterMs = 1_000;

/** An invocation has an id; nobody awaits its result. */
export interface Started {
  readonly job: DeliveryJob;
  readonly startId?: string;
}

/** Returns what was started since the last call. */
function newOf<Start>({ started }: { readonly started: readonly Start[] }): () => readonly Start[] {
  let taken = 0;
  return () => {
    const fresh = started.slice(taken);
    taken = started.length;
    return fresh;
  };
}

/** Deliveries on the model of DynamoDB, with the engine in memory: a test says which attempt goes on. */
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
  const [invocations, executions] = [newOf(stores.deliveryStarter), newOf(stores.deliveryExecutions)];
  /** Returns the started attempts that were not returned yet. */
  const takeStarted = (): readonly Started[] => [
    ...invocations(),
    ...executions().map(({ payload }) => ({ job: readDeliveryExecution({ ...payload, sender: "s" }).job })),
  ];
  const carryOut = async ({ job, startId }: Started, kills?: KillSwitch) => {
    if (startId !== undefined) {
      await invoke(async () => await beginAttempt(deps, job, startId), kills);
      return { outcome: undefined, operations: [] };
    }
    const durable = new MemoryDurable({ clock, ...(kills && { kills }) });
    const outcome = await durable.run((engine) => deliver(engine, deps, job));
    return { outcome, operations: durable.operations };
  };
  const invoke = async (work: () => Promise<void>, kills?: KillSwitch) => {
    if (kills === undefined) return await work();
    while ((await Promise.race([work(), kills.armed()])) === "killed") clock.advance(repeatedAfterMs);
  };
  /** Carries out what is started, also by that, one after the other. */
  const carryOutAll = async () => {
    const done: Awaited<ReturnType<typeof carryOut>>[] = [];
    for (let jobs = takeStarted(); jobs.length > 0; jobs = takeStarted()) {
      for (const job of jobs) done.push(await carryOut(job));
    }
    return done;
  };
  return { ...stores, deps, add, put, queue, takeStarted, carryOut, carryOutAll, invoke };
}

/** The same, of which the work that is watched may be killed before and after each call. */
export function killableWebhooks(kills: KillSwitch) {
  const model = new DynamoModel();
  let isWatched = false;
  const called = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
    isWatched ? await kills.call(name, work) : await work();
  const client = {
    send: async (command: never) => await called("DynamoDB", () => model.client.send(command)),
  };
  const world = webhooksWorld({ model, client });
  const { deliveryStarter, deliveryExecutions, webhookSender } = world;
  const start = deliveryStarter.start.bind(deliveryStarter);
  deliveryStarter.start = async (job) => await called("Lambda", () => start(job));
  const startExecution = deliveryExecutions.start.bind(deliveryExecutions);
  deliveryExecutions.start = async (name, payload) =>
    await called("Lambda", () => startExecution(name, payload));
  const send = webhookSender.send.bind(webhookSender);
  webhookSender.send = async (request) => await called("the endpoint", () => send(request));
  const watched = async (work: () => Promise<unknown>): Promise<void> => {
    isWatched = true;
    await work();
    isWatched = false;
  };
  return { ...world, watched };
}
