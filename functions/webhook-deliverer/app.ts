import { type DurableContext, withDurableExecution } from "@aws/durable-execution-sdk-js";
import { type DeliverDeps, deliver } from "../../shared/domain/webhook/delivery/deliver.ts";
import type { DeliveryJob } from "../../shared/domain/webhook/delivery/delivery.ts";
import type { DeliveryStarter } from "../../shared/domain/webhook/delivery/queue-send.ts";

export interface WebhookDelivererDeps extends Omit<DeliverDeps, "deliveryStarter"> {
  readonly readDeliveryExecution: (payload: unknown) => {
    readonly job: DeliveryJob;
    readonly sender: string | undefined;
  };
  readonly starterOf: (sender: string | undefined) => DeliveryStarter;
}

export function createWebhookDeliverer(deps: WebhookDelivererDeps) {
  return withDurableExecution(async (event: unknown, context: DurableContext) => {
    const retryStrategy = () => ({ shouldRetry: false });
    const durable = {
      // A step returns its failures; `RetryingEngine` retries it.
      step: async <Result extends object>(name: string, work: () => Promise<Result>) =>
        await context.step(name, work, { retryStrategy }),
      wait: async (name: string, seconds: number) => await context.wait(name, { seconds }),
    };
    const { job, sender } = deps.readDeliveryExecution(event);
    return await deliver(durable, { ...deps, deliveryStarter: deps.starterOf(sender) }, job);
  });
}
