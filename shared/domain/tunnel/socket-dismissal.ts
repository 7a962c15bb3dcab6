/** Why a driver's socket is closed; sent to the driver first. */
export type DismissalReason = "superseded" | "revoked" | "deleted" | "rate_limited";

export interface SocketDismissal {
  /** Says goodbye and closes the socket. A closed socket is no error, so this can be repeated. */
  dismiss(websocketId: string, reason: DismissalReason): Promise<void>;
}
