import { pingSeconds } from "../../vocabulary/drivers.ts";

/** The delay that a timer and the network may add. */
const slackMs = 5_000;

/** Recording a ping costs more than its two messages; the gateway reports ended connections, but no pings. */
export const pingNotedEveryMs = 30 * 60_000;

/** A ping within this time of another one comes from a busy socket, whose frames are counted. */
const busyMs = 60_000;

export interface HeardPing {
  readonly websocketId: string;
  readonly nowMs: number;
  /** Undefined means that this instance has received none. */
  readonly heardBeforeMs: number | undefined;
  readonly hasProof: boolean;
}

export function isPingNoted({ websocketId, nowMs, heardBeforeMs, hasProof }: HeardPing): boolean {
  const isBusy = heardBeforeMs !== undefined && nowMs - heardBeforeMs < busyMs;
  return hasProof || isBusy || isTurn(websocketId, nowMs);
}

/** Many instances serve one socket, so the clock alone decides; a separate turn for each socket spreads a fleet. */
function isTurn(websocketId: string, nowMs: number): boolean {
  return (nowMs + offsetOf(websocketId)) % pingNotedEveryMs < pingSeconds * 1_000 + slackMs;
}

function offsetOf(websocketId: string): number {
  let offset = 0;
  for (const character of websocketId) {
    offset = (offset * 31 + (character.codePointAt(0) ?? 0)) % pingNotedEveryMs;
  }
  return offset;
}
