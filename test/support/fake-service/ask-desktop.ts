import { Readable } from "node:stream";
import { Refusal, refusalResponse } from "../../../infra/driver/answer.ts";
import type { Answer, Desktop } from "../../../infra/driver/desktop.ts";

export interface AskDesktopOptions {
  readonly query?: string;
  readonly body?: Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function askDesktop(
  desktop: Desktop,
  method: "GET" | "POST",
  path: string,
  { query = "", body = new Uint8Array(), headers }: AskDesktopOptions = {},
): Promise<Answer> {
  const isBytes = body instanceof Uint8Array;
  const bytes = isBytes ? body : Buffer.from(JSON.stringify(body));
  try {
    return await desktop.handle({
      method,
      path: `/computer/${path}`,
      query,
      headers: headers ?? (isBytes ? {} : { "content-type": "application/json" }),
      body: { bytes: async () => bytes, stream: async () => Readable.from([bytes]), size: bytes.byteLength },
      signal: AbortSignal.timeout(20_000),
    });
  } catch (error) {
    if (error instanceof Refusal) return refusalResponse(error);
    throw error;
  }
}

export function jsonOf(answer: Answer): unknown {
  if (!(answer.body instanceof Uint8Array)) throw new Error("the body is a stream");
  return JSON.parse(Buffer.from(answer.body).toString());
}
