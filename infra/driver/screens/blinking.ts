import type { Frame } from "./pictures/frame.ts";
import { areSame } from "./pictures/same-frames.ts";

/** A text cursor is shown and hidden for half a second each, on most systems. */
const returnsWithinMs = 3_000;

interface Seen {
  readonly content: string;
  readonly atMs: number;
  readonly frame?: Frame | undefined;
}

/**
 * Two pictures that alternate, and differ as little as by a text cursor, are those of one still screen. The first of
 * them that comes is a change, because a narrow letter differs as little.
 */
export class Blinking {
  readonly #now: () => number;
  #last: Seen | undefined;
  #before: Seen | undefined;
  #pair: readonly string[] = [];
  /** Reusing memory saves the milliseconds that allocating megabytes takes. */
  #memory = new Uint8Array();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whoever looks once needs no copy, which the picture that comes next is compared with. */
  glimpse(content: string): void {
    this.#see({ content, atMs: this.#now() });
  }

  /** The frame is copied, because its memory goes to the encoder. */
  note(frame: Frame, content: string): void {
    const last = this.#last;
    if (!this.areOne(content, last?.content)) {
      const atMs = this.#now();
      const before = this.#before;
      const returns = before?.content === content && atMs - before.atMs <= returnsWithinMs;
      const isBlink = returns && last?.frame !== undefined && areSame(last.frame, frame);
      this.#pair = isBlink ? [content, last.content] : [];
    }
    const isKept = last?.content === content && last.frame !== undefined;
    this.#see({ content, atMs: this.#now(), frame: isKept ? last.frame : this.#copyOf(frame) });
  }

  #see(seen: Seen): void {
    if (this.#last?.content !== seen.content) this.#before = this.#last;
    this.#last = seen;
  }

  #copyOf(frame: Frame): Frame {
    const { byteLength } = frame.pixels;
    if (this.#memory.byteLength !== byteLength) this.#memory = new Uint8Array(byteLength);
    this.#memory.set(frame.pixels);
    return { ...frame, pixels: this.#memory };
  }

  areOne(content: string, other: string | undefined): boolean {
    return content === other || (this.#pair.includes(content) && this.#pair.includes(other ?? ""));
  }
}
