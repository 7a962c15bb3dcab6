import { type LiveMessage, ViewerMessage } from "../../shared/contract/live.ts";
import { parseFrame } from "../../shared/contract/tunnel-frames.ts";
import { isWithinLimit } from "../../shared/domain/connection/count-frame.ts";
import type { ViewerPlace } from "../../shared/domain/live/viewer.ts";
import { encodeMessage, errorFor, readFrame } from "../../shared/tunnel/message-codec.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";

/** Each frame is one write, which counts it; a viewer that was removed meanwhile loses its socket. */
export async function receiveFromViewer(deps: TunnelDeps, place: ViewerPlace, text: string): Promise<void> {
  const { websocketId } = place;
  const frame = readFrame(text, (frame) => parseFrame(ViewerMessage, frame));
  const topics =
    frame.kind === "message" && frame.message.type === "watch"
      ? [...new Set(frame.message.topics)]
      : undefined;
  const heard = await deps.viewers.hear(place, topics);
  if (!heard) return await deps.sockets.disconnect(websocketId);
  if (!(await isWithinLimit(deps, websocketId, heard.frames))) return;
  const post = async (message: LiveMessage) => {
    const delivery = await deps.sockets.post(websocketId, encodeMessage(message));
    if (delivery.kind === "gone") await deps.viewers.remove(place);
  };
  if (frame.kind !== "message") {
    const error = errorFor(frame);
    if (error) await post(error);
  } else if (topics) {
    // No hint may be lost from then on.
    await deps.clock.sleep(Math.max(0, heard.viewer.toldFromMs - deps.clock.now()));
    await post({ type: "watching", topics });
  } else {
    await post({ type: "pong" });
  }
}
