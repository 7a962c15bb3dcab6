import type { Blinking } from "./blinking.ts";
import { contentOf, formatTag, formOf, type PictureTag } from "./picture-tag.ts";
import type { Frame, PointerPicture } from "./pictures/frame.ts";
import type { PictureEncoder } from "./pictures/picture-encoder.ts";
import type { WatchedScreen, WatchInput } from "./screen.ts";

export interface StillFrame {
  readonly frame: Frame;
  readonly isSettled: boolean;
}

export interface Stillness {
  /** The longest wait for two equal frames in a row; with 0 the first one is taken. */
  readonly settleMs: number;
  /** The time between two frames that are compared. */
  readonly quietMs: number;
}

/** On a still screen, nothing is drawn between two frames that are compared. */
export const quietMs = 100;

/** What a change draws comes within this time mostly, and a viewer does not notice it. */
const brief: Stillness = { settleMs: 120, quietMs: 20 };

const atOnce: Stillness = { settleMs: 0, quietMs };

/** A program that draws the same again and again costs no more captures than this. */
const capturePauseMs = 100;

/** The pointer moves without drawing anything. */
const pointerPauseMs = 100;

/** What a kind of display does for whoever watches it. */
export interface WatchedDisplay {
  readonly capture: (stillness: Stillness) => Promise<StillFrame>;
  readonly pointer: () => Promise<PointerPicture | undefined>;
  /** Resolves to true when something may have been drawn since the last capture began, or to false after the time. */
  readonly drawn: (ms: number) => Promise<boolean>;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Seen extends StillFrame {
  readonly tag: PictureTag;
  readonly pointer: PointerPicture | undefined;
}

/** Takes a picture when the screen differs from all that are named, at the latest when the time is over. */
export async function watchScreen(
  display: WatchedDisplay,
  { encoder, blinking }: { readonly encoder: PictureEncoder; readonly blinking: Blinking },
  input: WatchInput,
  signal: AbortSignal,
): Promise<WatchedScreen> {
  const seen = await new Watch(display, blinking, input, signal).until();
  const { tag, frame, pointer, isSettled } = seen;
  const etag = formatTag(tag);
  if (input.unless.some((named) => isSame(named, tag))) return { etag, screenshot: undefined };
  const { width, height } = input;
  return {
    etag,
    screenshot: { png: await encoder.encode(frame, { width, height, pointer }, signal), isSettled },
  };
}

export function isWaiting({ wait_ms: waitMs, unless }: WatchInput): boolean {
  return waitMs > 0 && unless.length > 0;
}

class Watch {
  readonly #display: WatchedDisplay;
  readonly #blinking: Blinking;
  readonly #input: WatchInput;
  readonly #signal: AbortSignal;

  constructor(display: WatchedDisplay, blinking: Blinking, input: WatchInput, signal: AbortSignal) {
    this.#display = display;
    this.#blinking = blinking;
    this.#input = input;
    this.#signal = signal;
  }

  async until(): Promise<Seen> {
    const { settle_ms: settleMs, wait_ms: waitMs } = this.#input;
    const asked: Stillness = { settleMs, quietMs };
    if (!isWaiting(this.#input)) return await this.#look(asked);
    const still = settleMs > 0 ? asked : brief;
    const endsAt = this.#display.now() + waitMs;
    for (let stillness = atOnce, draws = 0; ; draws += 1) {
      const seen = await this.#look(stillness);
      if (!this.#isNamed(seen.tag)) {
        const settled = stillness === still ? seen : await this.#look(still);
        if (!this.#isNamed(settled.tag)) return settled;
      }
      if (!(await this.#changed(seen, draws > 0, endsAt))) return seen;
      // What is drawn first is likely a change. Later it may be the same again, which one capture shows.
      stillness = draws === 0 ? still : atOnce;
    }
  }

  /** Resolves to true when another picture is likely, else to false at the end. A first change is not kept waiting. */
  async #changed({ tag }: Seen, isInVain: boolean, endsAt: number): Promise<boolean> {
    const { now, drawn, sleep, pointer } = this.#display;
    const { cursor } = this.#input;
    const seenAt = now();
    for (let leftMs = endsAt - now(); leftMs > 0; leftMs = endsAt - now()) {
      const hasDrawn = await drawn(cursor ? Math.min(leftMs, pointerPauseMs) : leftMs);
      this.#signal.throwIfAborted();
      if (hasDrawn) {
        const pauseMs = isInVain ? Math.min(seenAt + capturePauseMs, endsAt) - now() : 0;
        if (pauseMs > 0) await sleep(pauseMs, this.#signal);
        return true;
      }
      if (cursor && formOf({ ...this.#input, pointer: await pointer() }) !== tag.form) return true;
    }
    return false;
  }

  async #look(stillness: Stillness): Promise<Seen> {
    const { width, height, cursor, unless } = this.#input;
    const { frame, isSettled } = await this.#display.capture(stillness);
    const pointer = cursor ? await this.#display.pointer() : undefined;
    const tag = { content: contentOf(frame), form: formOf({ width, height, pointer }) };
    if (unless.length > 0) this.#blinking.note(frame, tag.content);
    else this.#blinking.glimpse(tag.content);
    return { frame, isSettled, pointer, tag };
  }

  #isNamed({ content, form }: PictureTag): boolean {
    return this.#input.unless.some(
      (named) => named.form === form && this.#blinking.areOne(named.content, content),
    );
  }
}

function isSame(one: PictureTag, other: PictureTag): boolean {
  return one.content === other.content && one.form === other.form;
}
