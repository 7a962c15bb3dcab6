import type { DeliveryStatus } from "../../../vocabulary/events.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Page, PageRequest } from "../../page.ts";
import type { Delivery, DeliveryAttempt, DeliveryJob } from "./delivery.ts";

export interface WebhookMessage {
  readonly organizationId: OrganizationId;
  readonly eventId: string;
  readonly body: string;
  readonly createdAt: string;
}

/** Deliveries and what they send are kept for 30 days. */
export interface DeliveryStore {
  /** Keeps a message that is there. */
  putMessage(message: WebhookMessage): Promise<void>;
  /** Keeps a delivery that is there. */
  create(delivery: Delivery): Promise<void>;
  find(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
  /** Each is undefined when it is not there (any more). */
  load(
    job: DeliveryJob,
  ): Promise<{ readonly delivery: Delivery | undefined; readonly body: string | undefined }>;
  /** Newest first. */
  list(organizationId: OrganizationId, endpointId: string, page: PageRequest): Promise<Page<Delivery>>;
  /** Writes nothing when another round has begun. */
  note(
    delivery: Delivery,
    change: {
      readonly status: DeliveryStatus;
      readonly nextAttemptAt: string | null;
      readonly attempt?: DeliveryAttempt;
    },
  ): Promise<void>;
  /** Undefined when the delivery is there no more. */
  beginRound(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
}

export const deliveryDays = 30;
