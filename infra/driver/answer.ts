import type { Answer } from "./desktop.ts";

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
  }
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return {
    status,
    headers: { "content-type": "application/json", "content-length": String(body.byteLength), ...headers },
    body,
  };
}

export function problemAnswer(
  status: number,
  code: string,
  error: string,
  headers: Record<string, string> = {},
): Answer {
  return jsonAnswer(status, { error, code }, headers);
}

export function refusalResponse(refusal: Refusal): Answer {
  return problemAnswer(refusal.status, refusal.code, refusal.message);
}

/** The system's own messages name files, which no log or response should. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? `system error ${error.code}` : error.message;
}

export async function readAll(answer: Answer): Promise<Uint8Array | undefined> {
  if (answer.body instanceof Uint8Array) return answer.body;
  const stream = await answer.body.open();
  if (stream === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
