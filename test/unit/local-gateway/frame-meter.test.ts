import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameMeter, type FrameViolation } from "../../../infra/local/gateway/frame-meter.ts";

const textFrame = 0x1;
const continuation = 0x0;
const binaryFrame = 0x2;
const pingFrame = 0x9;

/** A masked frame, as clients send them (RFC 6455, section 5.2). The payload's bytes do not matter here. */
function frame(opcode: number, bytes: number, isLast = true): Buffer {
  const header = [(isLast ? 0x80 : 0) | opcode];
  if (bytes < 126) header.push(0x80 | bytes);
  else if (bytes < 65_536) header.push(0x80 | 126, bytes >> 8, bytes & 0xff);
  else
    header.push(
      0x80 | 127,
      0,
      0,
      0,
      0,
      bytes >>> 24,
      (bytes >> 16) & 0xff,
      (bytes >> 8) & 0xff,
      bytes & 0xff,
    );
  return Buffer.concat([Buffer.from([...header, 1, 2, 3, 4]), Buffer.alloc(bytes, 0x82)]);
}

function meter(stream: Buffer, chunkBytes: number): FrameViolation | undefined {
  const frames = new FrameMeter();
  for (let offset = 0; offset < stream.length; offset += chunkBytes) {
    const violation = frames.push(stream.subarray(offset, offset + chunkBytes));
    if (violation !== undefined) return violation;
  }
  return undefined;
}

const kib = 1024;

const cases: readonly (readonly [string, Buffer, FrameViolation | undefined])[] = [
  ["an empty text frame", frame(textFrame, 0), undefined],
  ["a frame of 32 KB", frame(textFrame, 32 * kib), undefined],
  ["a frame of one byte more", frame(textFrame, 32 * kib + 1), "frame_too_large"],
  ["a frame with a 64-bit length", frame(textFrame, 70_000), "frame_too_large"],
  ["a binary frame", frame(binaryFrame, 3), "binary"],
  [
    "a message of 128 KB in four frames",
    Buffer.concat([
      frame(textFrame, 32 * kib, false),
      frame(continuation, 32 * kib, false),
      frame(continuation, 32 * kib, false),
      frame(continuation, 32 * kib),
    ]),
    undefined,
  ],
  [
    "a message of one byte more, with a ping in between",
    Buffer.concat([
      frame(textFrame, 32 * kib, false),
      frame(pingFrame, 5),
      frame(continuation, 32 * kib, false),
      frame(continuation, 32 * kib, false),
      frame(continuation, 32 * kib, false),
      frame(continuation, 1),
    ]),
    "message_too_large",
  ],
  [
    "many messages that are large together only",
    Buffer.concat(Array.from({ length: 8 }, () => frame(textFrame, 30 * kib))),
    undefined,
  ],
];

describe("FrameMeter", () => {
  it.each(cases)("judges %s the same, however the bytes are cut", (_name, stream, expected) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 * kib }), (chunkBytes) => {
        expect(meter(stream, chunkBytes)).toBe(expected);
      }),
      { numRuns: 30 },
    );
    expect(meter(stream, 1)).toBe(expected);
  });
});
