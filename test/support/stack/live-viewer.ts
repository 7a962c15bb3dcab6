import { LiveMessage } from "../../../shared/contract/live.ts";
import { until } from "./until.ts";

/** A browser's end of the live channel; each message must be one of the contract. */
export class LiveViewer {
  readonly #socket: WebSocket;
  readonly messages: LiveMessage[] = [];
  isClosed = false;

  private constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.onmessage = ({ data }) => this.messages.push(LiveMessage.parse(JSON.parse(String(data))));
    this.#socket.onclose = () => {
      this.isClosed = true;
    };
  }

  /** Undefined means that the handshake was refused. */
  static async open(url: string): Promise<LiveViewer | undefined> {
    const viewer = new LiveViewer(url);
    const socket = viewer.#socket;
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.onopen = () => resolve(true);
      socket.onerror = () => resolve(false);
    });
    return isOpen ? viewer : undefined;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Resolves once the service has answered, from when on no hint is lost. */
  async watch(...topics: readonly string[]): Promise<void> {
    const before = this.messages.length;
    this.send({ type: "watch", topics });
    await until(() => this.messages.slice(before).some(({ type }) => type === "watching"));
  }

  hints(): readonly LiveMessage[] {
    return this.messages.filter(({ type }) => type !== "watching" && type !== "pong");
  }

  async close(): Promise<void> {
    this.#socket.close();
    await until(() => this.isClosed);
  }
}
