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

/** @throws {z.ZodError} for a payload that the service did not send. */
export function readDeliveryJob(payload: unknown): DeliveryJob {
  const parsed = Payload.parse(payload);
  return {
    organizationId: parsed.organization_id,
    endpointId: parsed.endpoint_id,
    deliveryId: parsed.delivery_id,
    eventId: parsed.event_id,
    round: parsed.round,
    number: parsed.number,
  };
}
