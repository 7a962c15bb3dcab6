import type { Readable } from "node:stream";

/** The body of a request, from a message or the bucket. */
export interface RequestBody {
  /**
   * The whole body.
   *
   * @throws {Refusal} 413 above `bytesMax`.
   */
  bytes(bytesMax: number): Promise<Uint8Array>;
  /** The body as it comes, so that a large one is never held in memory. */
  stream(): Promise<Readable>;
  /** Length in bytes, where it is known before reading. */
  readonly size: number | undefined;
}

export interface DesktopRequest {
  readonly method: string;
  /** The path, such as `/computer/input/mouse/scroll`. */
  readonly path: string;
  /** The query, encoded and without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  /** Aborted at the request's deadline and when the driver stops. */
  readonly signal: AbortSignal;
}

/** A body that is read once it is wanted. */
export interface StreamBody {
  readonly size: number;
  /** Undefined when it was opened before and cannot be read twice. */
  open(): Promise<Readable | undefined>;
  /** Releases a body that was never opened. */
  discard?(): void;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamBody;
  /** A short form to remember where there is no room for the whole answer: the results without the picture. */
  readonly brief?: Answer;
}

/** The desktop behind a driver: a display, or a local HTTP server. */
export interface Desktop {
  readonly osInfo: string;
  /** Paths that the desktop serves, and names of features that not every driver has. */
  readonly capabilities: readonly string[];
  /** Names of the programs that it opens; none where it does not name `open_program`. */
  readonly programs: readonly string[];
  /**
   * Does what is requested.
   *
   * @throws {Refusal} for what the caller can repair; anything else thrown is the desktop's own failure.
   */
  handle(request: DesktopRequest): Promise<Answer>;
  /** Releases the keys and buttons that callers hold down. */
  releaseHeld(): Promise<void>;
}
