import x11, {
  type Extensions,
  type Reply,
  type XClient,
  type XDisplay,
  type XEvent,
  type XScreen,
} from "x11";
import { Refusal } from "../../answer.ts";

const openMsMax = 5_000;
/** A server that is stopped, or busy for longer than this, counts as gone. */
const replyMsMax = 5_000;
const localClientPid = 2;

/** The caller of the API reads this sentence. */
export class DisplayUnavailable extends Refusal {
  constructor(message: string) {
    super(502, "display_unavailable", message);
  }
}

export class DisplayConnection {
  readonly client: XClient;
  readonly display: XDisplay;
  readonly screen: XScreen;
  readonly closed: Promise<void>;
  readonly #name: string;
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #atoms = new Map<string, Promise<number>>();
  readonly #ended = Promise.withResolvers<void>();
  #resources: Promise<Extensions["res"] | undefined> | undefined;
  #isOpen = true;

  private constructor(name: string, client: XClient, display: XDisplay, screen: XScreen) {
    this.#name = name;
    this.client = client;
    this.display = display;
    this.screen = screen;
    this.closed = this.#ended.promise;
    client.on("end", () => this.#end());
    client.stream?.on("close", () => this.#end());
  }

  static async open(name: string): Promise<DisplayConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<XDisplay>();
    const unavailable = () =>
      new DisplayUnavailable(
        `the X display ${name} does not answer: is it running, and may this user use it?`,
      );
    const timer = setTimeout(() => reject(unavailable()), openMsMax);
    let client: XClient | undefined;
    try {
      client = x11.createClient({ display: name, bufferRequests: true }, (error, display) => {
        if (error === undefined) resolve(display);
        else reject(unavailable());
      });
      // A failed request without a reply concerned a window that has closed since.
      client.on("error", () => undefined);
      const display = await promise;
      ownAtoms(display.client);
      const screen = display.screen[Number(x11.parseDisplay(name).screenNum)];
      if (screen === undefined) throw unavailable();
      return new DisplayConnection(name, client, display, screen);
    } catch {
      client?.stream?.destroy();
      throw unavailable();
    } finally {
      clearTimeout(timer);
    }
  }

  get root(): number {
    return this.screen.root;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  ask<Result>(send: (reply: Reply<Result>) => void): Promise<Result> {
    if (!this.#isOpen) return Promise.reject(this.#gone());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const timer = setTimeout(() => this.#end(), replyMsMax);
    this.#waiting.add(reject);
    send((error, result) => {
      if (error) reject(error);
      else resolve(result);
      return true;
    });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(reject);
    });
  }

  /** Waits until the server has handled all earlier requests. */
  async sync(): Promise<void> {
    await this.ask((reply) => this.client.GetInputFocus(reply));
  }

  /** @throws {DisplayUnavailable} naming the extension. */
  async extension<Name extends keyof Extensions>(name: Name): Promise<Extensions[Name]> {
    const found = await this.findExtension(name);
    if (found === undefined) {
      throw new DisplayUnavailable(`the X display ${this.#name} has no extension ${name}`);
    }
    return found;
  }

  async findExtension<Name extends keyof Extensions>(name: Name): Promise<Extensions[Name] | undefined> {
    try {
      return await this.ask<Extensions[Name]>((reply) => this.client.require(name, reply));
    } catch (error) {
      if (error instanceof DisplayUnavailable) throw error;
      return undefined;
    }
  }

  atom(name: string): Promise<number> {
    const known = this.#atoms.get(name);
    if (known !== undefined) return known;
    const asked = this.ask<number>((reply) => this.client.InternAtom(false, name, reply));
    this.#atoms.set(name, asked);
    return asked;
  }

  /** Reads at most this many words of four bytes; type 0 is any. */
  async property(window: number, property: number, type: number, words: number): Promise<Buffer> {
    const { data } = await this.ask<{ readonly data: Buffer }>((reply) =>
      this.client.GetProperty(0, window, property, type, 0, words, reply),
    );
    return data;
  }

  /** Returns undefined for a window of another machine, or where the server does not report the process. */
  async pidOf(window: number): Promise<number | undefined> {
    this.#resources ??= this.findExtension("res");
    const resources = await this.#resources;
    if (resources === undefined) return undefined;
    const ids = await this.ask<readonly { readonly value: readonly number[] }[]>((reply) =>
      resources.QueryClientIds([{ client: window, mask: localClientPid }], reply),
    );
    return ids[0]?.value[0];
  }

  onEvent(listener: (event: XEvent) => void): () => void {
    this.client.on("event", listener);
    return () => this.client.off("event", listener);
  }

  close(): void {
    if (this.#isOpen) this.client.terminate();
  }

  /** A server that no longer responds would never end the socket. */
  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const reject of this.#waiting) reject(this.#gone());
    this.#waiting.clear();
    this.client.stream?.destroy();
    this.#ended.resolve();
  }

  #gone(): DisplayUnavailable {
    return new DisplayUnavailable(`the X display ${this.#name} does not answer`);
  }
}

export function wordsIn(data: Buffer): readonly number[] {
  return Array.from({ length: Math.floor(data.byteLength / 4) }, (_, at) => data.readUInt32LE(at * 4));
}

/** In the package's own table of atoms, a second or restarted server would get the numbers of the first. */
function ownAtoms(client: XClient): void {
  const lastPredefined = 68;
  const predefined = Object.entries(client.atoms).filter(([, atom]) => atom <= lastPredefined);
  client.atoms = Object.fromEntries(predefined);
}
