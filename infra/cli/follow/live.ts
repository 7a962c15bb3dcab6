import type { ApiClient } from "../../../shared/client/api-client.ts";
import { LiveChannel, type LiveSocket, type LiveState } from "../../../shared/client/live-channel.ts";

const handshakeMs = 10_000;
/** A hint is some hundred bytes. */
const frameBytesMax = 131_072;

export interface Live extends Pick<LiveChannel, "watch" | "stop"> {
  /** Hints come; until then, and whenever it is false, the caller has to read by itself. */
  isLive(): boolean;
}

export interface LiveOptions {
  readonly client: Pick<ApiClient, "call">;
  readonly openSocket?: (url: string) => LiveSocket;
  readonly onState?: (state: LiveState) => void;
}

/** Node 20 has no WebSocket of its own. The socket and its timers keep the program alive until `stop`. */
export function openLive({ client, openSocket: givenSocket, onState }: LiveOptions): Live {
  let state: LiveState = "idle";
  let openSocket = givenSocket;
  const channel = new LiveChannel({
    openTicket: async () => {
      const { url } = await client.call("createLiveTicket", { idempotencyKey: false });
      openSocket ??= await webSockets();
      return url;
    },
    openSocket: (url) => openSocket?.(url) as LiveSocket,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    onState: (changed) => {
      state = changed;
      onState?.(changed);
    },
  });
  return {
    watch: (topics, listener) => channel.watch(topics, listener),
    stop: () => channel.stop(),
    isLive: () => state === "live",
  };
}

/** Loaded when it is needed: most commands open no socket. */
async function webSockets(): Promise<(url: string) => LiveSocket> {
  const { WebSocket } = await import("ws");
  return (url) => {
    const socket = new WebSocket(url, {
      handshakeTimeout: handshakeMs,
      maxPayload: frameBytesMax,
      perMessageDeflate: false,
    });
    // Each error is followed by the close, which the channel acts on.
    socket.on("error", () => undefined);
    return socket as LiveSocket;
  };
}
