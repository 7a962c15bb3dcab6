import * as z from "zod";
import {
  DriverMessage,
  RequestId,
  ServiceMessage,
  tunnelBodyBytesMax,
  tunnelPartBytesMax,
  tunnelPartsMax,
} from "./tunnel.ts";

/** `untyped` is never answered; the two below it are answered with `error`. */
export type ParsedFrame<Message> =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "untyped" }
  | { readonly kind: "unknown_type"; readonly type: string }
  | { readonly kind: "malformed"; readonly type: string; readonly id?: string; readonly problem: string };

interface Discriminated {
  readonly options: readonly { readonly shape: { readonly type: { readonly value: string } } }[];
}

const Typed = z.object({ type: z.string() });
const Identified = z.object({ id: RequestId });

export function parseFrame<Message>(
  union: z.ZodType<Message> & Discriminated,
  text: string,
): ParsedFrame<Message> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: "untyped" };
  }
  const typed = Typed.safeParse(json);
  if (!typed.success) return { kind: "untyped" };
  const { type } = typed.data;
  if (!union.options.some(({ shape }) => shape.type.value === type)) return { kind: "unknown_type", type };
  const parsed = union.safeParse(json);
  if (parsed.success) return { kind: "message", message: parsed.data };
  // A malformed `error` must not be answered either, or two peers could answer each other for ever.
  if (type === "error") return { kind: "untyped" };
  const identified = Identified.safeParse(json);
  const [issue] = parsed.error.issues;
  const problem = issue === undefined ? "malformed" : `${issue.path.join(".")}: ${issue.message}`;
  return { kind: "malformed", type, problem, ...(identified.success ? { id: identified.data.id } : {}) };
}

export function parseDriverFrame(text: string): ParsedFrame<DriverMessage> {
  return parseFrame(DriverMessage, text);
}

export function parseServiceFrame(text: string): ParsedFrame<ServiceMessage> {
  return parseFrame(ServiceMessage, text);
}

/** @throws {RangeError} above `tunnelBodyBytesMax`: such a body goes through the bucket. */
export function splitBody(body: Uint8Array): readonly Uint8Array[] {
  if (body.byteLength > tunnelBodyBytesMax) {
    throw new RangeError(
      `a body of ${body.byteLength} bytes does not fit into ${tunnelPartsMax} messages, at most ${tunnelBodyBytesMax} do`,
    );
  }
  const parts: Uint8Array[] = [];
  for (let start = 0; start === 0 || start < body.byteLength; start += tunnelPartBytesMax) {
    parts.push(body.subarray(start, start + tunnelPartBytesMax));
  }
  return parts;
}
