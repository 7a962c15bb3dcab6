import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { PictureEncoder } from "../../../../infra/driver/screens/pictures/picture-encoder.ts";
import { decodePng } from "../../../support/pictures/decode-png.ts";
import { aFrame, aFrameOf, colorsOf, noise } from "../../../support/pictures/frames.ts";

const neverAborted = new AbortController().signal;
const tooShort = { width: 9, height: 9, pixels: new Uint8Array(4) };
const hasEnded = "the thread that makes pictures has ended";

describe("the encoder of pictures", () => {
  const encoder = new PictureEncoder();
  afterAll(() => encoder.close());

  it("answers the frame as a PNG", async () => {
    const frame = aFrameOf(40, 30, noise);
    const colors = colorsOf(frame);
    const png = await encoder.encode(frame, {}, neverAborted);
    expect(decodePng(png)).toMatchObject({ width: 40, height: 30, colors });
  });

  it("draws the pointer before it scales", async () => {
    const frame = aFrame([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    const pointer = { x: 0, y: 0, width: 1, height: 2, argb: Uint32Array.from([0xff000080, 0xff000040]) };
    const png = await encoder.encode(frame, { width: 2, pointer }, neverAborted);
    expect(decodePng(png)).toMatchObject({ width: 2, height: 1, colors: [0x30, 0] });
  });

  it("keeps several apart", async () => {
    const colors = [0x010203, 0x040506, 0x070809];
    const pngs = await Promise.all(
      colors.map((color) => encoder.encode(aFrame([[color]]), {}, neverAborted)),
    );
    expect(pngs.flatMap((png) => decodePng(png).colors)).toEqual(colors);
  });

  it("takes the frame's memory, and copies one that is part of larger memory", async () => {
    const own = aFrame([[1, 2]]);
    await encoder.encode(own, {}, neverAborted);
    expect(own.pixels.byteLength).toBe(0);
    const larger = Buffer.alloc(11, 7);
    const part = { width: 2, height: 1, pixels: larger.subarray(3) };
    expect(decodePng(await encoder.encode(part, {}, neverAborted)).colors).toEqual([0x070707, 0x070707]);
    expect(larger).toEqual(Buffer.alloc(11, 7));
  });

  it("fails with the reason of an abort, before and while the picture is made", async () => {
    const reason = new Error("too late");
    await expect(encoder.encode(aFrame([[1]]), {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    const abort = new AbortController();
    const encoding = encoder.encode(aFrameOf(400, 300, noise), {}, abort.signal);
    abort.abort(reason);
    await expect(encoding).rejects.toBe(reason);
    expect(decodePng(await encoder.encode(aFrame([[5]]), {}, neverAborted)).colors).toEqual([5]);
  });

  it("fails what is under way when its thread dies, and starts another for the next", async () => {
    const failed = encoder.encode(tooShort, {}, neverAborted);
    const beside = encoder.encode(aFrame([[1]]), {}, neverAborted);
    await expect(failed).rejects.toThrow(hasEnded);
    await expect(failed).rejects.toMatchObject({ cause: expect.any(RangeError) });
    await expect(beside).rejects.toThrow(hasEnded);
    expect(decodePng(await encoder.encode(aFrame([[6]]), {}, neverAborted)).colors).toEqual([6]);
  });

  it("does not keep its process alive", async () => {
    const address = new URL("../../../../infra/driver/screens/pictures/picture-encoder.ts", import.meta.url);
    const script = `
      import { PictureEncoder } from ${JSON.stringify(address)};
      const frame = { width: 1, height: 1, pixels: new Uint8Array(4) };
      const wait = setTimeout(() => {}, 20_000);
      const png = await new PictureEncoder().encode(frame, {}, new AbortController().signal);
      clearTimeout(wait);
      console.log(png.byteLength > 0);`;
    const args = ["--input-type=module", "--eval", script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 25_000 });
    expect(stdout).toBe("true\n");
  });

  it("fails what is under way when it is closed", async () => {
    const closing = new PictureEncoder();
    await closing.close();
    const encoding = closing.encode(aFrameOf(400, 300, noise), {}, neverAborted);
    await Promise.all([expect(encoding).rejects.toThrow(hasEnded), closing.close()]);
  });
});
