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

/** The state of an attempt that somebody wants to begin. */
export type Begun =
  | { readonly kind: "begun"; readonly delivery: Delivery }
  /** Its outcome is on record, and the next attempt is due then. */
  | { readonly kind: "made"; readonly nextAttemptAt: string }
  /** Somebody else has begun it, and has until then. */
  | { readonly kind: "elsewhere"; readonly untilMs: number }
  /** The delivery has ended, or has gone on without this attempt. */
  | { readonly kind: "over"; readonly status: DeliveryStatus };

/** Deliveries and their messages are kept for 30 days. */
export interface DeliveryStore {
  /** Stores the message unless it exists. */
  putMessage(message: WebhookMessage): Promise<void>;
  /** Stores the delivery unless it exists. */
  create(delivery: Delivery): Promise<void>;
  find(organizationId: OrganizationId, id: string): Promise<Delivery | undefined>;
  /** Returns undefined when the body of the event's messages does not exist, or no longer exists. */
  findBody(organizationId: OrganizationId, eventId: string): Promise<string | undefined>;
  /**
   * Records that the attempt may have been sent from now on, and by which start. The same start may begin it again;
   * another one may once the time of the attempt is over, if it has left no outcome.
   */
  begin(job: DeliveryJob, startId: string): Promise<Begun>;
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
