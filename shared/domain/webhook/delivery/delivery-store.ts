import type { DeliveryStatus } from "../../../vocabulary/events.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { Page, PageRequest } from "../../page.ts";
import type { Delivery, DeliveryAttempt, DeliveryJob } from "./delivery.ts";

/** The message of an event: the same bytes to every endpoint, at every attempt. */
export interface WebhookMessage {
  readonly organizationId: OrganizationId;
  readonly eventId: string;
  /** JSON. */
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Deliveries and what they send are kept for 30 days. */
export interface DeliveryStore {
  /** One that is there stays as it is. One write. */
  putMessage(message: WebhookMessage): Promise<void>;
  /** One that is there stays as it is. One write. */
  create(delivery: Delivery): Promise<void>;
  /** One consistent read. */
  find(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
  /** A delivery and its body, each undefined when it is not there (any more): one read. */
  load(
    job: DeliveryJob,
  ): Promise<{ readonly delivery: Delivery | undefined; readonly body: string | undefined }>;
  /** Newest first. */
  list(organizationId: OrganizationId, endpointId: string, page: PageRequest): Promise<Page<Delivery>>;
  /** Nothing when another round has begun. One write. */
  note(
    delivery: Delivery,
    change: {
      readonly status: DeliveryStatus;
      readonly nextAttemptAt: string | null;
      readonly attempt?: DeliveryAttempt;
    },
  ): Promise<void>;
  /** Begins another round. Undefined when it is there no more. One write. */
  beginRound(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
}

export const deliveryDays = 30;
