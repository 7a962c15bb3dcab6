import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import type { SocketDismissal } from "../tunnel/socket-dismissal.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import type { ConnectionStore } from "./connection-store.ts";

/** The limit of frames that answer no request: a driver says hello once and pings once a minute at most. */
const framesPerMinuteMax = 60;

export interface FrameLimitDeps {
  readonly dismissal: SocketDismissal;
  readonly sockets: Pick<SocketGateway, "disconnect">;
  readonly logger: Logger;
}

export interface CountFrameDeps extends FrameLimitDeps {
  readonly connections: Pick<ConnectionStore, "countFrame" | "countFrameHere">;
  readonly clock: Pick<Clock, "now">;
}

/** Counts a frame that answers no request. Returns false when its socket is closed or has sent too many. */
export async function countFrame(deps: CountFrameDeps, websocketId: string): Promise<boolean> {
  return (await countFrameHere(deps, websocketId)) && (await countFrameOnRecord(deps, websocketId));
}

/** Ends a connection by what this instance knows, without a write. */
export async function countFrameHere(deps: CountFrameDeps, websocketId: string): Promise<boolean> {
  const frames = deps.connections.countFrameHere(websocketId, deps.clock.now());
  return await isWithinLimit(deps, websocketId, frames);
}

export async function countFrameOnRecord(deps: CountFrameDeps, websocketId: string): Promise<boolean> {
  const frames = await deps.connections.countFrame(websocketId, deps.clock.now());
  if (frames !== undefined) return await isWithinLimit(deps, websocketId, frames);
  await deps.sockets.disconnect(websocketId);
  return false;
}

/** The first frame above the limit ends the connection; each later one ends it again, in case that failed. */
export async function isWithinLimit(
  deps: FrameLimitDeps,
  websocketId: string,
  frames: number,
): Promise<boolean> {
  if (frames <= framesPerMinuteMax) return true;
  if (frames > framesPerMinuteMax + 1) {
    await deps.sockets.disconnect(websocketId);
    return false;
  }
  deps.logger.warn("connection ended: too many frames in a minute", { frames });
  await deps.dismissal.dismiss(websocketId, "rate_limited");
  return false;
}
