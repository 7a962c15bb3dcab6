import { type DeliveryJob, deliveryPayload } from "../../../shared/domain/webhook/delivery/delivery.ts";
import type { DeliveryStarter } from "../../../shared/domain/webhook/delivery/queue-send.ts";
import { readStartedAttempt } from "../../../shared/webhooks/read-delivery-job.ts";

export class InMemoryDeliveries implements DeliveryStarter {
  readonly started: ReturnType<typeof readStartedAttempt>[] = [];
  isAway = false;

  async start(job: DeliveryJob): Promise<void> {
    if (this.isAway) throw new Error("Lambda is away");
    const start_id = `start ${this.started.length}`;
    this.started.push(readStartedAttempt({ ...deliveryPayload(job), start_id }));
  }
}
