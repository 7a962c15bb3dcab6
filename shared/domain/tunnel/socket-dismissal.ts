/** Why a driver's socket is ended; the driver is told so before it is. */
export type DismissalReason = "superseded" | "revoked" | "deleted" | "rate_limited";

export interface SocketDismissal {
  /** Says goodbye and closes the socket. One that is gone is no error, so this can be repeated. */
  dismiss(websocketId: string, reason: DismissalReason): Promise<void>;
}
