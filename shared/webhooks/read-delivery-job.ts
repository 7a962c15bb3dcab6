import * as z from "zod";
import { isOrganizationId } from "../domain/organization-id.ts";
import type { DeliveryJob } from "../domain/webhook/delivery/delivery.ts";

const Payload = z.object({
  organization_id: z.custom<DeliveryJob["organizationId"]>(isOrganizationId),
  endpoint_id: z.string(),
  delivery_id: z.string(),
  event_id: z.string(),
  round: z.int().min(1),
  number: z.int().min(1),
});

const StartedAttempt = Payload.extend({ start_id: z.string() });

/** Executions that an earlier release started name no sender, and go on for up to six days. */
const DeliveryExecution = Payload.extend({ sender: z.string().optional() });

/** @throws {z.ZodError} for an event that the service did not send. */
export function readStartedAttempt(event: unknown): { readonly job: DeliveryJob; readonly startId: string } {
  const { start_id: startId, ...payload } = StartedAttempt.parse(event);
  return { job: jobOf(payload), startId };
}

/** @throws {z.ZodError} for a payload that the service did not send. */
export function readDeliveryExecution(payload: unknown): {
  readonly job: DeliveryJob;
  readonly sender: string | undefined;
} {
  const { sender, ...job } = DeliveryExecution.parse(payload);
  return { job: jobOf(job), sender };
}

function jobOf(parsed: z.infer<typeof Payload>): DeliveryJob {
  return {
    organizationId: parsed.organization_id,
    endpointId: parsed.endpoint_id,
    deliveryId: parsed.delivery_id,
    eventId: parsed.event_id,
    round: parsed.round,
    number: parsed.number,
  };
}
