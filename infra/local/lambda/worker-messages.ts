import type { EventBody } from "../event-body.ts";
import type { InvokeError } from "./invoke-result.ts";

export type WorkerSetup = {
  /** The path is absolute and has no extension. */
  readonly module: string;
  readonly exportPath: readonly string[];
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly logGroupName: string;
  readonly logStreamName: string;
};

export type InvokeMessage = {
  readonly requestId: string;
  readonly event: string;
  readonly body: EventBody | undefined;
  readonly traceId: string;
  readonly deadlineMs: number;
};

export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "init_failed"; readonly error: InvokeError }
  | { readonly kind: "returned"; readonly payload: string | undefined }
  | { readonly kind: "threw"; readonly error: InvokeError };
