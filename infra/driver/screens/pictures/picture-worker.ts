import { parentPort } from "node:worker_threads";
import { drawPointer } from "./draw-pointer.ts";
import type { PictureDone, PictureTask } from "./picture-encoder.ts";
import { createPng } from "./png.ts";
import { scaleFrame } from "./scale-frame.ts";

parentPort?.on("message", ({ id, frame, pointer, width, height }: PictureTask) => {
  if (pointer !== undefined) drawPointer(frame, pointer);
  const png = createPng(scaleFrame(frame, { width, height }));
  const memory = frame.pixels.buffer as ArrayBuffer;
  parentPort?.postMessage({ id, png, memory } satisfies PictureDone, [png.buffer, memory]);
});
