import type { LiveMessage } from "../contract/live.ts";
import {
  type DriverMessage,
  type ErrorMessage,
  type ServiceMessage,
  tunnelMessageBytesMax,
} from "../contract/tunnel.ts";
import { type ParsedFrame, parseDriverFrame } from "../contract/tunnel-frames.ts";

/** The gateway would not carry this message, which is wrongly built, or whose request has too long a line. */
export class MessageTooLarge extends Error {
  readonly bytes: number;

  constructor(type: string, bytes: number) {
    super(`a ${type} message of ${bytes} bytes, at most ${tunnelMessageBytesMax} are allowed`);
    this.name = "MessageTooLarge";
    this.bytes = bytes;
  }
}

/** @throws {MessageTooLarge} above 32,000 bytes of UTF-8. */
export function encodeMessage(message: ServiceMessage | LiveMessage): string {
  const text = JSON.stringify(message);
  const bytes = Buffer.byteLength(text);
  if (bytes > tunnelMessageBytesMax) throw new MessageTooLarge(message.type, bytes);
  return text;
}

type ReadFrame<Message> = ParsedFrame<Message> | { readonly kind: "too_large"; readonly bytes: number };

export type DriverFrame = ReadFrame<DriverMessage>;

export function readDriverFrame(text: string): DriverFrame {
  return readFrame(text, parseDriverFrame);
}

/** JSON without a type is never answered: the gateway sends such frames, and two peers that answer would never stop. */
export function readFrame<Message>(
  text: string,
  parse: (text: string) => ParsedFrame<Message>,
): ReadFrame<Message> {
  const bytes = Buffer.byteLength(text);
  if (bytes > tunnelMessageBytesMax) return { kind: "too_large", bytes };
  const frame = parse(text);
  if (frame.kind === "untyped" && !isJson(text)) {
    return { kind: "malformed", type: "", problem: "the message is not JSON" };
  }
  return frame;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const errorTextCharsMax = 1_024;
const echoedTypeCharsMax = 64;

/** Returns undefined for a frame that must not be answered. */
export function errorFor(frame: ReadFrame<unknown>): ErrorMessage | undefined {
  switch (frame.kind) {
    case "too_large":
      return tunnelError(
        "too_large",
        `the message has ${frame.bytes} bytes, at most ${tunnelMessageBytesMax} are allowed`,
      );
    case "unknown_type":
      return tunnelError(
        "unknown_type",
        `there is no message type ${frame.type.slice(0, echoedTypeCharsMax)}`,
      );
    case "malformed":
      return tunnelError("malformed", frame.problem, frame.id);
    default:
      return undefined;
  }
}

export function tunnelError(code: string, message: string, id?: string): ErrorMessage {
  return {
    type: "error",
    code,
    message: message.slice(0, errorTextCharsMax),
    ...(id !== undefined && { id }),
  };
}
