/** `error` means out of service, connected or not. */
export const machineStatuses = ["connected", "disconnected", "error"] as const;
export type MachineStatus = (typeof machineStatuses)[number];

export const poolsOfMachineMax = 20;

export const healthScopes = ["organization", "all_organizations"] as const;
export type HealthScope = (typeof healthScopes)[number];

/** A connection is `pending` until the driver's hello has been answered. */
export const connectionStatuses = ["pending", "connected", "disconnected"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** The reason is sent to the driver before its socket is closed. */
export const dismissalReasons = ["superseded", "revoked", "deleted", "rate_limited", "moved"] as const;
export type DismissalReason = (typeof dismissalReasons)[number];

export const viewerRefusals = ["viewer_not_authenticated", "organization_mismatch", "peer_mismatch"] as const;
export type ViewerRefusal = (typeof viewerRefusals)[number];

/**
 * More than half of the organizations lost this percentage of their machines within these minutes. The first shows that
 * many desktops lost the service, the second that whole fleets disappeared.
 */
export const fleetFalls = {
  machines_lost_percent: { minutes: 5, percent: 20 },
  machines_lost_hour_percent: { minutes: 60, percent: 50 },
} as const;

export type FleetFall = keyof typeof fleetFalls;
