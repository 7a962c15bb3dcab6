/** Another driver has replaced a machine's current connection. */
export const supersededEventType = "machine.superseded";

/** Busy and idle follow from the runs, whose events name the machine. Customers choose by names, which never change. */
export const webhookEventTypes = [
  "run.created",
  "run.retried",
  "run.running",
  "run.held",
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
  "schedule.missed",
  "schedule.disabled",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The bus has these events in place of `run.complete`. */
export const runEndEventTypes = ["run.success", "run.error", "run.task_failed", "run.cancelled"] as const;
export type RunEndEventType = (typeof runEndEventTypes)[number];

/** The names of events on the bus, which customers' rules refer to and which are never renamed. */
export type EventType = Exclude<WebhookEventType, "run.complete"> | RunEndEventType;
export type RunEventType = Extract<EventType, `run.${string}`>;
export type ScheduleEventType = Extract<EventType, `schedule.${string}`>;
export type MachineEventType = Exclude<Extract<EventType, `machine.${string}`>, typeof supersededEventType>;

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const sendFailures = [
  "timeout",
  "address_refused",
  "name_not_resolved",
  "tls_failed",
  "connection_failed",
] as const;
export type SendFailure = (typeof sendFailures)[number];

export const disabledReasons = ["gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** The limit bounds the cost of an event. */
export const webhookEndpointsMax = 10;

/** One organization's webhooks in flight. An account where few functions may run at once gives fewer. */
export const organizationSendsMax = 20;

/** The time of one attempt of a delivery: 15 s for the receiver, the rest for the calls around it. */
export const deliveryAttemptSeconds = 30;
