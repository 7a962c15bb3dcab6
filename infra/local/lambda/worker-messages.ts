import type { InvokeError } from "./invoke-result.ts";

/** The data of a worker at its start. */
export type WorkerSetup = {
  /** Absolute path without extension. */
  readonly module: string;
  /** Names after the first dot of the handler. */
  readonly exportPath: readonly string[];
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly logGroupName: string;
  readonly logStreamName: string;
};

export type InvokeMessage = {
  readonly requestId: string;
  /** JSON. */
  readonly event: string;
  readonly traceId: string;
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
};

export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "init_failed"; readonly error: InvokeError }
  /** JSON, or undefined when the handler returned nothing. */
  | { readonly kind: "returned"; readonly payload: string | undefined }
  | { readonly kind: "threw"; readonly error: InvokeError };
