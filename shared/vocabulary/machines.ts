/** `error` is out of service, connected or not. */
export const machineStatuses = ["connected", "disconnected", "error"] as const;
export type MachineStatus = (typeof machineStatuses)[number];

/** Most pools that a machine is in. */
export const poolsOfMachineMax = 20;

/** The machines that a report of health is about. */
export const healthScopes = ["organization", "all_organizations"] as const;
export type HealthScope = (typeof healthScopes)[number];

/** `pending` until the driver's hello has been answered. */
export const connectionStatuses = ["pending", "connected", "disconnected"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** Why a driver's socket is closed; sent to the driver first. */
export const dismissalReasons = ["superseded", "revoked", "deleted", "rate_limited"] as const;
export type DismissalReason = (typeof dismissalReasons)[number];

/** Why a viewer may not connect to a machine's desktop. */
export const viewerRefusals = ["viewer_not_authenticated", "organization_mismatch", "peer_mismatch"] as const;
export type ViewerRefusal = (typeof viewerRefusals)[number];
