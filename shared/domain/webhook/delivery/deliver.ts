import type { Durable } from "../../durable/durable.ts";
import { RetryingEngine } from "../../durable/retrying-engine.ts";
import { type AttemptDeps, type Attempted, attemptDelivery } from "./attempt-delivery.ts";
import { type DeliveryJob, deliveryName } from "./delivery.ts";
import { type QueueSendDeps, queueSend } from "./queue-send.ts";

export interface DeliverDeps extends AttemptDeps {
  readonly sends: AttemptDeps["sends"] & QueueSendDeps["sends"];
}

/**
 * Carries one attempt out, unless that was done before, and queues the next one after the time between them, for which
 * the engine waits.
 */
export async function deliver(
  durable: Pick<Durable, "step" | "wait">,
  deps: DeliverDeps,
  job: DeliveryJob,
): Promise<Exclude<Attempted, { kind: "late" | "elsewhere" }>> {
  const { organizationId, endpointId, deliveryId, number } = job;
  const ids = { organization_id: organizationId, endpoint_id: endpointId, delivery_id: deliveryId };
  const engine = new RetryingEngine({ durable, of: { noun: "a delivery", ids }, logger: deps.logger });
  for (;;) {
    const attempted = await engine.step(
      `attempt ${number}`,
      async () => await attemptDelivery(deps, job, deliveryName(job)),
    );
    if (attempted.kind === "over") return attempted;
    await engine.wait("wait", attempted.waitSeconds);
    if (attempted.kind !== "again") continue;
    await engine.step("queue the next attempt", async () => {
      await queueSend(deps, { ...job, number: number + 1 });
      return {};
    });
    return attempted;
  }
}
