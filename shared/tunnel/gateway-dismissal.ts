import type { SocketDismissal } from "../domain/tunnel/socket-dismissal.ts";
import type { SocketGateway } from "../domain/tunnel/socket-gateway.ts";
import type { ViewerDismissal } from "../vocabulary/live.ts";
import type { DismissalReason } from "../vocabulary/machines.ts";
import { encodeMessage } from "./message-codec.ts";

/** Connects are counted per window of 60 seconds. */
const rateLimitedRetrySeconds = 60;

/** Null is never; a viewer whose session has ended may come back at once, with another ticket. */
const retryAfterSeconds: Readonly<Record<DismissalReason | ViewerDismissal, number | null>> = {
  superseded: null,
  revoked: null,
  deleted: null,
  rate_limited: rateLimitedRetrySeconds,
  moved: 0,
  expired: 0,
};

/** The gateway supports no custom close codes: a `goodbye` message comes first, then the socket is deleted. */
export class GatewayDismissal implements SocketDismissal {
  readonly #sockets: SocketGateway;

  constructor(sockets: SocketGateway) {
    this.#sockets = sockets;
  }

  async dismiss(
    websocketId: string,
    reason: DismissalReason | ViewerDismissal,
    address?: string,
  ): Promise<void> {
    const goodbye = encodeMessage({
      type: "goodbye",
      code: reason,
      retry_after_seconds: retryAfterSeconds[reason],
      address,
    });
    let isGone = false;
    try {
      const delivery = await this.#sockets.post(websocketId, goodbye);
      isGone = delivery.kind === "gone";
    } finally {
      // A goodbye that fails must not keep the socket open.
      if (!isGone) await this.#sockets.disconnect(websocketId);
    }
  }
}
