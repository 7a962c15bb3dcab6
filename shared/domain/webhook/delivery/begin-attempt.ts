import type { ExecutionStarter } from "../../durable/durable.ts";
import { type AttemptDeps, type Attempted, attemptDelivery } from "./attempt-delivery.ts";
import { type DeliveryJob, deliveryName, deliveryPayload } from "./delivery.ts";

export interface BeginAttemptDeps extends AttemptDeps {
  /** Each attempt has one execution at most. */
  readonly deliveryExecutions: ExecutionStarter;
}

/**
 * Makes a first attempt at once, since most deliveries need no other: durable executions are an account's to share, 300
 * starts a second. One is started where something has to wait: for the next attempt, for a place, or after a failure of the
 * service's own.
 *
 * @param startId is the same whenever Lambda repeats the invocation.
 * @throws {Error} when no execution can be started; the invocation is then repeated.
 */
export async function beginAttempt(deps: BeginAttemptDeps, job: DeliveryJob, startId: string): Promise<void> {
  const attempted = job.number === 1 ? await attemptOrLog(deps, job, startId) : undefined;
  // Whoever else has begun the attempt goes on with it, too.
  if (attempted?.kind === "over" || attempted?.kind === "elsewhere") return;
  await deps.deliveryExecutions.start(deliveryName(job), deliveryPayload(job));
}

async function attemptOrLog(
  deps: AttemptDeps,
  job: DeliveryJob,
  startId: string,
): Promise<Attempted | undefined> {
  try {
    return await attemptDelivery(deps, job, startId);
  } catch (cause) {
    const { organizationId, endpointId, deliveryId } = job;
    deps.logger.error("a first attempt of a delivery failed", {
      organization_id: organizationId,
      endpoint_id: endpointId,
      delivery_id: deliveryId,
      cause,
    });
    return undefined;
  }
}
