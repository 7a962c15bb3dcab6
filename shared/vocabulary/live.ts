/** The live channel's viewers of one organization at once. */
export const viewersMax = 100;

/** Topics of one viewer. */
export const topicsMax = 50;

export const liveTicketSeconds = 60;

/**
 * The gateway ends each socket after this time.
 *
 * Source:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
export const viewerSecondsMax = 2 * 3_600;

/** The reason is sent to the viewer before its socket is closed. */
export const viewerDismissals = ["expired", "revoked", "rate_limited"] as const;
export type ViewerDismissal = (typeof viewerDismissals)[number];
