import { messageBytesMax } from "../aws/execute-api/connections-service.ts";

/** Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
export const frameBytesMax = 32 * 1024;

export type FrameViolation = "binary" | "frame_too_large" | "message_too_large";

const opcodeContinuation = 0x0;
const opcodeBinary = 0x2;
const opcodeClose = 0x8;
const headerBytesMax = 14;

/** The ws library hides the frames (RFC 6455, section 5.2), whose size API Gateway limits. */
export class FrameMeter {
  readonly #header = Buffer.alloc(headerBytesMax);
  #headerBytes = 0;
  #payloadBytesLeft = 0;
  #messageBytes = 0;

  /** Nothing may be pushed after a violation. */
  push(chunk: Buffer): FrameViolation | undefined {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#payloadBytesLeft > 0) {
        const skipped = Math.min(this.#payloadBytesLeft, chunk.length - offset);
        this.#payloadBytesLeft -= skipped;
        offset += skipped;
        continue;
      }
      this.#header.writeUInt8(chunk.readUInt8(offset), this.#headerBytes);
      this.#headerBytes += 1;
      offset += 1;
      if (this.#headerBytes < this.#wantedHeaderBytes()) continue;
      const violation = this.#judge();
      if (violation !== undefined) return violation;
      this.#headerBytes = 0;
    }
    return undefined;
  }

  #wantedHeaderBytes(): number {
    if (this.#headerBytes < 2) return 2;
    const second = this.#header.readUInt8(1);
    const length = second & 0x7f;
    const extended = length === 126 ? 2 : length === 127 ? 8 : 0;
    const mask = second & 0x80 ? 4 : 0;
    return 2 + extended + mask;
  }

  #judge(): FrameViolation | undefined {
    const opcode = this.#header.readUInt8(0) & 0x0f;
    const bytes = this.#payloadBytes();
    if (opcode === opcodeBinary) return "binary";
    this.#payloadBytesLeft = bytes;
    if (opcode >= opcodeClose) return undefined;
    if (bytes > frameBytesMax) return "frame_too_large";
    this.#messageBytes = opcode === opcodeContinuation ? this.#messageBytes + bytes : bytes;
    return this.#messageBytes > messageBytesMax ? "message_too_large" : undefined;
  }

  #payloadBytes(): number {
    const length = this.#header.readUInt8(1) & 0x7f;
    if (length === 126) return this.#header.readUInt16BE(2);
    if (length === 127) return Number(this.#header.readBigUInt64BE(2));
    return length;
  }
}
