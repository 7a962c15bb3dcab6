import type { Durable } from "../../durable/durable.ts";
import { RetryingEngine } from "../../durable/retrying-engine.ts";
import { type AttemptDeps, type Attempted, attemptDelivery } from "./attempt-delivery.ts";
import type { DeliveryJob } from "./delivery.ts";

/** Carries a delivery out, from its first attempt to its last. The engine does the waits in between. */
export async function deliver(
  durable: Pick<Durable, "step" | "wait">,
  deps: AttemptDeps,
  job: DeliveryJob,
): Promise<Extract<Attempted, { kind: "over" }>> {
  const { organizationId, endpointId, deliveryId } = job;
  const ids = { organization_id: organizationId, endpoint_id: endpointId, delivery_id: deliveryId };
  const engine = new RetryingEngine({ durable, of: { noun: "a delivery", ids }, logger: deps.logger });
  let [number, deferrals] = [1, 0];
  for (;;) {
    const at = { number, deferrals };
    const attempted = await engine.step(
      `attempt ${number}`,
      async () => await attemptDelivery(deps, job, at),
    );
    if (attempted.kind === "over") return attempted;
    await engine.wait("wait", attempted.waitSeconds);
    [number, deferrals] = attempted.kind === "again" ? [number + 1, 0] : [number, deferrals + 1];
  }
}
