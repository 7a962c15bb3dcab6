/** Somebody was connected as a machine, and somebody else is now. */
export const supersededEventType = "machine.superseded";

/**
 * Names of events where they are sent to endpoints: every end of a run is the same to them. Busy and idle follow from the
 * runs: those events name the machine. Customers choose by the names: never rename one.
 */
export const webhookEventTypes = [
  "run.created",
  "run.retried",
  "run.running",
  "run.complete",
  "run.deleted",
  "machine.created",
  "machine.connected",
  "machine.disconnected",
  "machine.error",
  "machine.available",
  "machine.unavailable",
  "machine.deleted",
  supersededEventType,
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The events of the bus in place of `run.complete`. */
export const runEndEventTypes = ["run.success", "run.error", "run.task_failed", "run.cancelled"] as const;
export type RunEndEventType = (typeof runEndEventTypes)[number];

/** Names of events on the bus, which customers' rules refer to: never rename one. */
export type EventType = Exclude<WebhookEventType, "run.complete"> | RunEndEventType;
export type RunEventType = Extract<EventType, `run.${string}`>;
export type MachineEventType = Exclude<EventType, RunEventType | typeof supersededEventType>;

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why there was no response to an event. */
export const sendFailures = [
  "timeout",
  "address_refused",
  "name_not_resolved",
  "tls_failed",
  "connection_failed",
] as const;
export type SendFailure = (typeof sendFailures)[number];

/** Why the service has switched an endpoint off. */
export const disabledReasons = ["gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Most endpoints of an organization: bounds what an event costs. */
export const webhookEndpointsMax = 10;
