import { Worker } from "node:worker_threads";
import type { Frame, PointerPicture, SizeWanted } from "./frame.ts";

export interface PictureOptions extends SizeWanted {
  /** The pointer to draw into the picture. */
  readonly pointer?: PointerPicture | undefined;
}

export interface PictureTask extends PictureOptions {
  readonly id: number;
  readonly frame: Frame;
}

export interface PictureDone {
  readonly id: number;
  readonly png: Uint8Array;
  /** The frame's memory, for the next one. */
  readonly memory: ArrayBuffer;
}

/** Makes PNGs in one worker thread, started at first use, which never keeps the process alive. */
export class PictureEncoder {
  #worker: Worker | undefined;
  #lastId = 0;
  #memory: ArrayBuffer | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();

  /**
   * PNG, 8 bits RGB; scaled by area average when a size is given.
   *
   * The frame's memory is transferred and cannot be used afterwards; a frame that is part of larger memory is copied.
   */
  async encode(frame: Frame, options: PictureOptions, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const { pixels } = frame;
    const own = pixels.byteLength === pixels.buffer.byteLength ? pixels : new Uint8Array(pixels);
    const worker = this.#started();
    const id = ++this.#lastId;
    const done = Promise.withResolvers<Uint8Array>();
    const abort = () => done.reject(signal.reason);
    signal.addEventListener("abort", abort);
    this.#waiting.set(id, done);
    try {
      const task: PictureTask = { id, frame: { ...frame, pixels: own }, ...options };
      worker.postMessage(task, [own.buffer as ArrayBuffer]);
      return await done.promise;
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", abort);
    }
  }

  /**
   * Returns memory for a frame that is to be encoded: the last frame's where it has the right size.
   *
   * To allocate 8 MB takes longer than to copy a picture into them.
   */
  takeMemory(bytes: number): Uint8Array {
    const memory = this.#memory?.byteLength === bytes ? this.#memory : new ArrayBuffer(bytes);
    this.#memory = undefined;
    return new Uint8Array(memory);
  }

  /** Ends the thread; encodings under way fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // The process's own options, such as what it loads first, are not for the thread.
    const worker = new Worker(new URL("./picture-worker.ts", import.meta.url), { execArgv: [] });
    let cause: unknown;
    worker.on("message", ({ id, png, memory }: PictureDone) => {
      this.#memory = memory;
      this.#waiting.get(id)?.resolve(png);
    });
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      this.#worker = undefined;
      for (const done of this.#waiting.values()) {
        done.reject(new Error("the thread that makes pictures has ended", { cause }));
      }
    });
    // After the listeners: the one for messages holds the process again.
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
