import { WebSocket } from "ws";

const handshakeTimeoutMs = 15_000;
/** Messages are at most 32,000 bytes; the gateway itself would not send above 128 KB. */
const incomingBytesMax = 131_072;

export interface SocketEvents {
  /** `serverTimeMs` is the handshake's Date header, in whole seconds. */
  onOpen(serverTimeMs: number | undefined, serverAddress: string | undefined): void;
  onText(text: string): void;
  /** The handshake failed with another status than 101; `onClosed` follows. */
  onRefused(status: number, retryAfterSeconds: number | undefined): void;
  /** Called exactly once, last. `detail` is the operating system's or the peer's own error. */
  onClosed(code: number, detail: string): void;
}

export interface Socket {
  send(text: string): void;
  close(code: number): void;
  terminate(): void;
}

export type Dial = (url: string, headers: Readonly<Record<string, string>>, events: SocketEvents) => Socket;

function retryAfterSecondsOf(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header === undefined || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds;
}

function timeOf(date: string | undefined): number | undefined {
  const time = Date.parse(date ?? "");
  return Number.isNaN(time) ? undefined : time;
}

export const dialWithin =
  (timeoutMs: number): Dial =>
  (url, headers, events) => {
    const socket = new WebSocket(url, {
      headers: { ...headers },
      maxPayload: incomingBytesMax,
      perMessageDeflate: false,
    });
    let detail = "";
    let serverTimeMs: number | undefined;
    let serverAddress: string | undefined;
    // The package's own time begins anew with each byte of a response.
    const handshake = setTimeout(() => {
      detail = "the handshake has timed out";
      socket.terminate();
    }, timeoutMs);
    socket.on("upgrade", (response) => {
      serverTimeMs = timeOf(response.headers.date);
      serverAddress = response.socket.remoteAddress;
    });
    socket.on("open", () => {
      clearTimeout(handshake);
      events.onOpen(serverTimeMs, serverAddress);
    });
    socket.on("message", (data, isBinary) => {
      if (!isBinary) events.onText(data.toString());
    });
    socket.on("unexpected-response", (_request, response) => {
      detail = `the handshake was answered ${response.statusCode}`;
      response.resume();
      events.onRefused(response.statusCode ?? 0, retryAfterSecondsOf(response.headers["retry-after"]));
      socket.terminate();
    });
    socket.on("error", (error) => {
      if (detail === "") detail = error.message;
    });
    socket.on("close", (code, reason) => {
      clearTimeout(handshake);
      events.onClosed(code, detail || reason.toString());
    });
    return {
      send(text) {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: (code) => socket.close(code),
      terminate: () => socket.terminate(),
    };
  };

export const dialWebSocket = dialWithin(handshakeTimeoutMs);
