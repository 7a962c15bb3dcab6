import type { LiveMessage } from "../contract/live.ts";
import type { Hint } from "../domain/live/hint.ts";
import type { ViewerChannel } from "../domain/live/send-hints.ts";
import type { Logger } from "../domain/logger.ts";
import type { SocketGateway } from "../domain/tunnel/socket-gateway.ts";
import { encodeMessage } from "./message-codec.ts";

export interface GatewayViewerChannelDeps {
  readonly sockets: Pick<SocketGateway, "post" | "disconnect">;
  readonly logger: Logger;
}

export class GatewayViewerChannel implements ViewerChannel {
  readonly #deps: GatewayViewerChannelDeps;

  constructor(deps: GatewayViewerChannelDeps) {
    this.#deps = deps;
  }

  async send(websocketId: string, hints: readonly Hint[]): ReturnType<ViewerChannel["send"]> {
    const { sockets, logger } = this.#deps;
    try {
      for (const hint of hints) {
        const { kind } = await sockets.post(websocketId, encodeMessage(presentHint(hint)));
        if (kind === "gone") return "gone";
      }
      return "sent";
    } catch (cause) {
      logger.warn("a viewer missed hints", { websocket_id: websocketId, cause });
      return "missed";
    }
  }

  async disconnect(websocketId: string): Promise<void> {
    await this.#deps.sockets.disconnect(websocketId);
  }
}

function presentHint(hint: Hint): LiveMessage {
  switch (hint.kind) {
    case "run":
      return {
        type: "run.changed",
        run_id: hint.id,
        workflow_id: hint.run?.workflowId ?? null,
        machine_id: hint.run?.machineId ?? null,
        revision: hint.run?.revision ?? null,
        status: hint.run?.status ?? null,
        progress: hint.progress ? { step: hint.progress.step, of: hint.progress.of } : null,
        is_held: hint.run !== null && hint.run.held !== null,
      };
    case "step":
      return { type: "step.recorded", run_id: hint.runId, index: hint.index };
    case "machine":
      return {
        type: "machine.changed",
        machine_id: hint.id,
        revision: hint.machine?.revision ?? null,
        status: hint.machine?.status ?? null,
      };
    case "missed":
      return { type: "missed" };
  }
}
