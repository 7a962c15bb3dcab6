import type { Look } from "../screen/screen-follower.ts";

export interface WallLooksDeps {
  readonly look: (
    machineId: string,
    etag: string | undefined,
    waitMs: number,
    signal: AbortSignal,
  ) => Promise<Look>;
  readonly onPicture: (machineId: string, png: Uint8Array) => void;
  readonly isSeen: () => boolean;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly now: () => number;
}

interface Watched {
  etag: string | undefined;
  dueMs: number;
  isLooking: boolean;
}

/** A browser opens six connections to a service of HTTP/1.1, and the page needs others. */
const looksMax = 3;
/** Screens that are alone in view are waited for; among more, each has its turn. */
const waitedMax = 2;
const waitMs = 8_000;
/** All looks together count for the caller's rate limit. */
const looksASecond = 4;
const shortestMs = 1_000;
const failedMs = 10_000;
const unseenMs = 1_000;

/** Looks at the screens that are in view, in turns: a few at once, whatever their number. */
export class WallLooks {
  readonly #deps: WallLooksDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #stopped = new AbortController();
  #looking = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(deps: WallLooksDeps) {
    this.#deps = deps;
  }

  watch(machineId: string): void {
    if (this.#watched.has(machineId)) return;
    this.#watched.set(machineId, { etag: undefined, dueMs: this.#deps.now(), isLooking: false });
    this.#next();
  }

  unwatch(machineId: string): void {
    this.#watched.delete(machineId);
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelTimer?.();
    this.#watched.clear();
  }

  #next(): void {
    this.#cancelTimer?.();
    if (this.#stopped.signal.aborted) return;
    if (!this.#deps.isSeen()) {
      this.#cancelTimer = this.#deps.after(unseenMs, () => this.#next());
      return;
    }
    const now = this.#deps.now();
    const waiting = [...this.#watched].filter(([, { isLooking }]) => !isLooking);
    waiting.sort(([, a], [, b]) => a.dueMs - b.dueMs);
    for (const [machineId, watched] of waiting) {
      if (watched.dueMs > now || this.#looking >= looksMax) break;
      void this.#look(machineId, watched);
    }
    const first = waiting.find(([, { isLooking }]) => !isLooking)?.[1];
    if (first !== undefined && this.#looking < looksMax) {
      this.#cancelTimer = this.#deps.after(Math.max(first.dueMs - now, 10), () => this.#next());
    }
  }

  async #look(machineId: string, watched: Watched): Promise<void> {
    watched.isLooking = true;
    this.#looking += 1;
    const count = this.#watched.size;
    const waited = count <= waitedMax && watched.etag !== undefined ? waitMs : 0;
    try {
      const {
        body,
        etag,
        retryAfterSeconds = 0,
      } = await this.#deps.look(machineId, watched.etag, waited, this.#stopped.signal);
      watched.etag = etag;
      if (body !== undefined && this.#watched.get(machineId) === watched)
        this.#deps.onPicture(machineId, body);
      const turnMs = Math.max(shortestMs, (this.#watched.size * 1_000) / looksASecond);
      watched.dueMs = this.#deps.now() + Math.max(waited > 0 ? 300 : turnMs, retryAfterSeconds * 1_000);
    } catch {
      // The card says by its status why there is no picture.
      watched.dueMs = this.#deps.now() + failedMs;
    } finally {
      watched.isLooking = false;
      this.#looking -= 1;
      this.#next();
    }
  }
}
