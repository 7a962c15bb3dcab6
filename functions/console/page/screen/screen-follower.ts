export interface Look {
  /** A PNG; undefined when nothing differs. */
  readonly body: Uint8Array | undefined;
  readonly etag: string | undefined;
  /** The look did not wait; the next one is due after this time. */
  readonly retryAfterSeconds: number | undefined;
}

export interface FollowerDeps {
  readonly look: (etag: string | undefined, signal: AbortSignal) => Promise<Look>;
  readonly onPicture: (png: Uint8Array) => void;
  /** `undefined`: it works again. */
  readonly onError: (error: unknown) => void;
  readonly isSeen: () => boolean;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly now: () => number;
}

const failedMs = 3_000;
const unseenMs = 1_000;
/** A screen that always changes is looked at this often in a row, and then at intervals: looks count for the rate limit. */
const burst = 30;
const intervalMs = 300;

/** Looks at one screen again and again: each look waits at the desktop until the screen differs. */
export class ScreenFollower {
  readonly #deps: FollowerDeps;
  readonly #stopped = new AbortController();
  #etag: string | undefined;
  #hasFailed = false;
  #wake: (() => void) | undefined;
  #credit = burst;
  #creditedMs: number;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#creditedMs = deps.now();
  }

  start(): void {
    void this.#follow();
  }

  stop(): void {
    this.#stopped.abort();
    this.#wake?.();
  }

  /** Ends a pause: something has been done. */
  lookNow(): void {
    this.#wake?.();
  }

  async #follow(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      if (!this.#deps.isSeen()) await this.#pause(unseenMs);
      else await this.#pause(await this.#lookOnce());
    }
  }

  /** @returns the pause before the next look. */
  async #lookOnce(): Promise<number> {
    const { signal } = this.#stopped;
    try {
      const { body, etag, retryAfterSeconds } = await this.#deps.look(this.#etag, signal);
      if (signal.aborted) return 0;
      if (this.#hasFailed) this.#deps.onError(undefined);
      this.#hasFailed = false;
      this.#etag = etag;
      if (body !== undefined) this.#deps.onPicture(body);
      const ownPauseMs = this.#spend();
      // Without an ETag nothing can be waited for.
      return Math.max(ownPauseMs, etag === undefined ? 1_000 : (retryAfterSeconds ?? 0) * 1_000);
    } catch (error) {
      if (signal.aborted) return 0;
      this.#hasFailed = true;
      this.#etag = undefined;
      this.#deps.onError(error);
      return failedMs;
    }
  }

  #spend(): number {
    const now = this.#deps.now();
    this.#credit = Math.min(burst, this.#credit + (now - this.#creditedMs) / intervalMs) - 1;
    this.#creditedMs = now;
    return this.#credit > 0 ? 0 : intervalMs;
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#stopped.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
