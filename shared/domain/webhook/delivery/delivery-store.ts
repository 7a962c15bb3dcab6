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

/** Deliveries and their messages are kept for 30 days. */
export interface DeliveryStore {
  /** Stores the message unless it exists. */
  putMessage(message: WebhookMessage): Promise<void>;
  /** Stores the delivery unless it exists. */
  create(delivery: Delivery): Promise<void>;
  find(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
  /** Returns undefined when the body of the event's messages does not exist, or no longer exists. */
  findBody(organizationId: OrganizationId, eventId: string): Promise<string | undefined>;
  /** A part of the result is undefined if it does not exist, or no longer exists. */
  load(
    job: DeliveryJob,
  ): Promise<{ readonly delivery: Delivery | undefined; readonly body: string | undefined }>;
  /** Lists newest first. */
  list(organizationId: OrganizationId, endpointId: string, page: PageRequest): Promise<Page<Delivery>>;
  /** Records an attempt, unless another round has begun. */
  note(
    delivery: Delivery,
    change: {
      readonly status: DeliveryStatus;
      readonly nextAttemptAt: string | null;
      readonly attempt?: DeliveryAttempt;
    },
  ): Promise<void>;
  /** Returns undefined when the delivery no longer exists. */
  beginRound(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
}

export const deliveryDays = 30;
