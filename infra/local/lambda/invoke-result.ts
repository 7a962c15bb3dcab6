export type InvokeError = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
};

export type FailureKind =
  | "timeout"
  | "crash"
  | "throttled"
  | "request_too_large"
  | "response_too_large"
  | "error";

export type InvokeResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly kind: FailureKind; readonly error: InvokeError };

export function failure(kind: FailureKind, errorType: string, errorMessage: string): InvokeResult {
  return { ok: false, kind, error: { errorType, errorMessage } };
}
