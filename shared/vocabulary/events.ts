const beforeRunEnds = ["run.created", "run.retried", "run.running"] as const;

/** One for each way a run ends. */
export const runEndEventTypes = ["run.success", "run.error", "run.task_failed", "run.cancelled"] as const;

/** Customers' rules refer to them: never rename one. */
export const runEventTypes = [...beforeRunEnds, ...runEndEventTypes, "run.deleted"] as const;
export type RunEventType = (typeof runEventTypes)[number];

/** Busy and idle follow from the runs: `run.running` and the events of a run's end name the machine. */
export const machineEventTypes = [
  "machine.created",
  "machine.connected",
  "machine.disconnected",
  "machine.error",
  "machine.available",
  "machine.unavailable",
  "machine.deleted",
] as const;
export type MachineEventType = (typeof machineEventTypes)[number];

/** Somebody was connected as a machine, and somebody else is now. */
export const supersededEventType = "machine.superseded";

export type EventType = RunEventType | MachineEventType | typeof supersededEventType;

/** Customers' endpoints choose by them: never rename one. */
export const webhookEventTypes = [
  ...beforeRunEnds,
  "run.complete",
  "run.deleted",
  ...machineEventTypes,
  supersededEventType,
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

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
