import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { SocketDismissal } from "../tunnel/socket-dismissal.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import type { ConnectionStore } from "./connection-store.ts";

/**
 * Frames of one connection in a window of 60 s that answer no request. A driver says hello once and pings every five
 * minutes. Responses are bounded by the requests, and a part of one is stored once.
 */
const framesPerMinuteMax = 60;

export interface FrameLimitDeps {
  readonly dismissal: SocketDismissal;
  readonly logger: Logger;
}

export interface CountFrameDeps extends FrameLimitDeps {
  readonly connections: Pick<ConnectionStore, "countFrame">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Counts a frame that answers no request. False when nothing more is to be done for it: its socket has no connection and
 * is closed, or has sent too many.
 */
export async function countFrame(deps: CountFrameDeps, websocketId: string): Promise<boolean> {
  const frames = await deps.connections.countFrame(websocketId, deps.clock.now());
  if (frames !== undefined) return await isWithinLimit(deps, websocketId, frames);
  await deps.sockets.disconnect(websocketId);
  return false;
}

/**
 * Whether the frame with that number in its window is to be handled. The first one too many ends the connection; so do
 * later ones, now and then, in case that failed.
 */
export async function isWithinLimit(
  deps: FrameLimitDeps,
  websocketId: string,
  frames: number,
): Promise<boolean> {
  if (frames <= framesPerMinuteMax) return true;
  if (frames % framesPerMinuteMax === 1) {
    deps.logger.warn("connection ended: too many frames in a minute", { frames });
    await deps.dismissal.dismiss(websocketId, "rate_limited");
  }
  return false;
}
