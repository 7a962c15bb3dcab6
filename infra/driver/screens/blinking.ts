import type { Frame } from "./pictures/frame.ts";
import { areSame } from "./pictures/same-frames.ts";

/** A text cursor is shown and hidden for half a second each, on most systems. */
const returnsWithinMs = 3_000;

interface Seen {
  readonly content: string;
  readonly atMs: number;
}

/**
 * Two pictures that alternate, and differ as little as by a text cursor, are those of one still screen. The first of
 * them that comes is a change, because a narrow letter differs as little.
 */
export class Blinking {
  readonly #now: () => number;
  #last: (Seen & { readonly frame: Frame }) | undefined;
  #before: Seen | undefined;
  #pair: readonly string[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The frame is copied, because its memory goes to the encoder. */
  note(frame: Frame, content: string): void {
    const atMs = this.#now();
    const last = this.#last;
    if (content === last?.content) {
      this.#last = { ...last, atMs };
      return;
    }
    if (!this.areOne(content, last?.content)) {
      const before = this.#before;
      const returns = before?.content === content && atMs - before.atMs <= returnsWithinMs;
      const isBlink = returns && last !== undefined && areSame(last.frame, frame);
      this.#pair = isBlink ? [content, last.content] : [];
    }
    this.#before = last && { content: last.content, atMs: last.atMs };
    this.#last = { content, atMs, frame: copyOf(frame, last?.frame) };
  }

  areOne(content: string, other: string | undefined): boolean {
    return content === other || (this.#pair.includes(content) && this.#pair.includes(other ?? ""));
  }
}

/** Reusing memory saves the milliseconds that allocating megabytes takes. */
function copyOf(frame: Frame, old: Frame | undefined): Frame {
  const pixels =
    old?.pixels.byteLength === frame.pixels.byteLength ? old.pixels : new Uint8Array(frame.pixels.byteLength);
  pixels.set(frame.pixels);
  return { ...frame, pixels };
}
