import { pingSecondsMax, pingSecondsMin } from "../../vocabulary/drivers.ts";

/** The delay that a timer and the network may add. */
const slackMs = 5_000;

/** Recording a ping costs more than its two messages; the gateway reports ended connections, but no pings. */
export const pingNotedEveryMs = 30 * 60_000;

/** A current connection whose last noted ping is older pings in another interval than its turns are made for. */
const staleMs = pingNotedEveryMs + 2 * pingSecondsMax * 1_000;

/** A ping within this time of another one comes from a busy socket, whose frames are counted. No interval is as short. */
const busyMs = (pingSecondsMin * 1_000) / 2;

export interface HeardPing {
  /** The interval of the deployment's drivers, which its welcomes name. */
  readonly pingSeconds: number;
  readonly websocketId: string;
  readonly nowMs: number;
  /** Undefined means that this instance has received none. */
  readonly heardBeforeMs: number | undefined;
  readonly hasProof: boolean;
}

export function isPingNoted(ping: HeardPing): boolean {
  const { nowMs, heardBeforeMs, hasProof } = ping;
  const isBusy = heardBeforeMs !== undefined && nowMs - heardBeforeMs < busyMs;
  return hasProof || isBusy || isTurn(ping);
}

/** A driver welcomed under another setting, or with an interval of its own, may never ping within its turn. */
export function isPingStale(lastPing: string, nowMs: number): boolean {
  return nowMs - Date.parse(lastPing) > staleMs;
}

/** Many instances serve one socket, so the clock alone decides; a separate turn for each socket spreads a fleet. */
function isTurn({ websocketId, nowMs, pingSeconds }: HeardPing): boolean {
  return (nowMs + offsetOf(websocketId)) % pingNotedEveryMs < pingSeconds * 1_000 + slackMs;
}

function offsetOf(websocketId: string): number {
  let offset = 0;
  for (const character of websocketId) {
    offset = (offset * 31 + (character.codePointAt(0) ?? 0)) % pingNotedEveryMs;
  }
  return offset;
}
