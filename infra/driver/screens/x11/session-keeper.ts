import { type DriverLog, silentLog } from "../../driver-log.ts";
import { DisplayUnavailable } from "./display-connection.ts";
import { openX11Session, type X11Session } from "./x11-session.ts";

const firstRetryMs = 250;
const lastRetryMs = 5_000;

export class SessionKeeper {
  readonly #display: string;
  readonly #log: DriverLog;
  #session: X11Session | undefined;
  #opening: Promise<X11Session> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(display: string, log: DriverLog = silentLog) {
    this.#display = display;
    this.#log = log;
  }

  /** @throws {DisplayUnavailable} at once while the server is gone. */
  async current(): Promise<X11Session> {
    if (this.#session?.connection.isOpen === true) return this.#session;
    if (this.#isClosed) throw new DisplayUnavailable(`the X display ${this.#display} was left`);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  get open(): X11Session | undefined {
    return this.#session?.connection.isOpen === true ? this.#session : undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#session?.connection.close();
  }

  async #open(): Promise<X11Session> {
    const session = await openX11Session(this.#display);
    clearTimeout(this.#retry);
    if (this.#session !== undefined) this.#log("info", "X display is back", { display: this.#display });
    this.#session = session;
    void session.connection.closed.then(() => {
      if (this.#isClosed) return;
      this.#log("warn", "X display is gone", { display: this.#display });
      this.#tryAgain(firstRetryMs);
    });
    return session;
  }

  #tryAgain(ms: number): void {
    this.#retry = setTimeout(() => {
      this.current().catch(() => this.#tryAgain(Math.min(ms * 2, lastRetryMs)));
    }, ms);
    this.#retry.unref();
  }
}
