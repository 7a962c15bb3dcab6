import { LiveMessage, ViewerMessage } from "./live.ts";
import { type ParsedFrame, parseFrame } from "./tunnel-frames.ts";

export function parseViewerFrame(text: string): ParsedFrame<ViewerMessage> {
  return parseFrame(ViewerMessage, text);
}

export function parseLiveFrame(text: string): ParsedFrame<LiveMessage> {
  return parseFrame(LiveMessage, text);
}
