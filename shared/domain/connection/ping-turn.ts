import { pingSeconds } from "../../vocabulary/drivers.ts";

/** Delay that a timer and the network may add. */
const slackMs = 5_000;

/**
 * How old `last_seen` of a connected machine may be. A ping that is noted costs more than its two messages together, and a
 * connection that has ended is not found by its pings: the gateway says it.
 */
export const pingNotedEveryMs = 30 * 60_000;

/** Within this time of another one, a ping is that of a busy socket, whose frames are counted. */
const busyMs = 60_000;

export interface HeardPing {
  readonly websocketId: string;
  readonly nowMs: number;
  /** When this instance heard the ping before; undefined: it has heard none. */
  readonly heardBeforeMs: number | undefined;
  /** Whether it carries a proof that its driver has the machine's secret. */
  readonly hasProof: boolean;
}

/** Whether a ping is to be noted on its machine; of any other it is enough that its connection is the machine's. */
export function isPingNoted({ websocketId, nowMs, heardBeforeMs, hasProof }: HeardPing): boolean {
  const isBusy = heardBeforeMs !== undefined && nowMs - heardBeforeMs < busyMs;
  return hasProof || isBusy || isTurn(websocketId, nowMs);
}

/**
 * By the clock alone, since many instances hear one socket: at least one of its regular pings falls into each turn. Each
 * socket has its own turn, so that a fleet's are spread.
 */
function isTurn(websocketId: string, nowMs: number): boolean {
  return (nowMs + offsetOf(websocketId)) % pingNotedEveryMs < pingSeconds * 1_000 + slackMs;
}

/** Spread over the half hour. */
function offsetOf(websocketId: string): number {
  let offset = 0;
  for (const character of websocketId) {
    offset = (offset * 31 + (character.codePointAt(0) ?? 0)) % pingNotedEveryMs;
  }
  return offset;
}
