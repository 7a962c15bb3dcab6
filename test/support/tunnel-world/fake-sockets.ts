import { LiveMessage } from "../../../shared/contract/live.ts";
import type { ServiceMessage } from "../../../shared/contract/tunnel.ts";
import { parseFrame, parseServiceFrame } from "../../../shared/contract/tunnel-frames.ts";
import type { Delivery, SocketGateway } from "../../../shared/domain/tunnel/socket-gateway.ts";

type Listener = (message: ServiceMessage) => void | Promise<void>;

interface FakeSocket {
  readonly messages: ServiceMessage[];
  readonly liveMessages: LiveMessage[];
  listener: Listener | undefined;
  isOpen: boolean;
}

/** Sockets in memory. Only messages of the protocol, within its bounds, may be posted. */
export class FakeSockets implements SocketGateway {
  readonly #sockets = new Map<string, FakeSocket>();
  readonly failures: unknown[] = [];

  open(websocketId: string): void {
    this.#sockets.set(websocketId, { messages: [], liveMessages: [], listener: undefined, isOpen: true });
  }

  listen(websocketId: string, listener: Listener): void {
    const socket = this.#sockets.get(websocketId);
    if (socket) socket.listener = listener;
  }

  vanish(websocketId: string): void {
    const socket = this.#sockets.get(websocketId);
    if (socket) socket.isOpen = false;
  }

  isOpen(websocketId: string): boolean {
    return this.#sockets.get(websocketId)?.isOpen ?? false;
  }

  messages(websocketId: string): readonly ServiceMessage[] {
    return this.#sockets.get(websocketId)?.messages ?? [];
  }

  /** What a viewer of the live channel would read. */
  liveMessages(websocketId: string): readonly LiveMessage[] {
    return this.#sockets.get(websocketId)?.liveMessages ?? [];
  }

  async post(websocketId: string, message: string): Promise<Delivery> {
    if (this.failures.length > 0) throw this.failures.shift();
    const socket = this.#sockets.get(websocketId);
    if (!socket?.isOpen) return { kind: "gone" };
    const bytes = Buffer.byteLength(message);
    if (bytes > 32_000) return { kind: "too_large", bytes };
    const frame = parseServiceFrame(message);
    const live = parseFrame(LiveMessage, message);
    if (live.kind === "message") socket.liveMessages.push(live.message);
    else if (frame.kind !== "message") throw new Error(`posted a frame that is ${frame.kind}`);
    if (frame.kind !== "message") return { kind: "delivered" };
    socket.messages.push(frame.message);
    await socket.listener?.(frame.message);
    return { kind: "delivered" };
  }

  async exists(websocketId: string): Promise<boolean> {
    return this.isOpen(websocketId);
  }

  async disconnect(websocketId: string): Promise<void> {
    this.vanish(websocketId);
  }
}
