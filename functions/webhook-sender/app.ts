import { type BeginAttemptDeps, beginAttempt } from "../../shared/domain/webhook/delivery/begin-attempt.ts";
import type { DeliveryJob } from "../../shared/domain/webhook/delivery/delivery.ts";

export interface WebhookSenderDeps extends BeginAttemptDeps {
  readonly readStartedAttempt: (event: unknown) => { readonly job: DeliveryJob; readonly startId: string };
}

export function createWebhookSender(deps: WebhookSenderDeps): (event: unknown) => Promise<void> {
  return async (event) => {
    const { job, startId } = deps.readStartedAttempt(event);
    await beginAttempt(deps, job, startId);
  };
}
