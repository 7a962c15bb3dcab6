import { Worker } from "node:worker_threads";
import type { Frame, PointerPicture, SizeWanted } from "./frame.ts";
import { pictureWorkerFile } from "./picture-worker-file.ts";

export interface PictureOptions extends SizeWanted {
  readonly pointer?: PointerPicture | undefined;
}

export interface PictureTask extends PictureOptions {
  readonly id: number;
  readonly frame: Frame;
}

export interface PictureDone {
  readonly id: number;
  readonly png: Uint8Array;
  readonly memory: ArrayBuffer;
}

/** Encodes PNGs in one worker thread, started at first use, which never keeps the process alive. */
export class PictureEncoder {
  #worker: Worker | undefined;
  #lastId = 0;
  #memory: ArrayBuffer | undefined;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();

  /** The frame's memory is transferred and cannot be used afterwards. */
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

  /** Allocating 8 MB takes longer than copying a picture into the last frame's memory. */
  takeMemory(bytes: number): Uint8Array {
    const memory = this.#memory?.byteLength === bytes ? this.#memory : new ArrayBuffer(bytes);
    this.#memory = undefined;
    return new Uint8Array(memory);
  }

  /** Encodings under way fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // The thread must not load what the process's options load.
    const worker = new Worker(pictureWorkerFile, { execArgv: [] });
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
    // The listener for messages would hold the process again.
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
