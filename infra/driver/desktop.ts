import type { Readable } from "node:stream";

export interface RequestBody {
  /** @throws {Refusal} 413 above `bytesMax`. */
  bytes(bytesMax: number): Promise<Uint8Array>;
  stream(): Promise<Readable>;
  readonly size: number | undefined;
}

export interface DesktopRequest {
  readonly method: string;
  readonly path: string;
  /** The query is encoded and has no question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  /** Aborted at the request's deadline and when the driver stops. */
  readonly signal: AbortSignal;
}

export interface StreamBody {
  readonly size: number;
  /** Returns undefined when the body was opened before and cannot be read twice. */
  open(): Promise<Readable | undefined>;
  /** Releases a body that was never opened. */
  discard?(): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamBody;
  /** The results without the picture, remembered where the whole response does not fit. */
  readonly brief?: Answer;
}

export interface Desktop {
  readonly osInfo: string;
  /** Capabilities are paths that the desktop serves, and names of features that not every driver has. */
  readonly capabilities: readonly string[];
  readonly programs: readonly string[];
  /** @throws {Refusal} for what the caller can repair; anything else thrown is the desktop's own failure. */
  handle(request: DesktopRequest): Promise<Answer>;
  releaseHeld(): Promise<void>;
}
