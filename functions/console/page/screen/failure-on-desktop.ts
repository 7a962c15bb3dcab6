import { ApiError } from "../../../../shared/client/api-error.ts";

interface HeldDetails {
  readonly by?: { readonly kind?: string; readonly id?: string | null };
  readonly until?: string;
}

/** The API's own sentence, and who holds the desktop until when, which it says in its details. */
export function failureOnDesktop(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { by, until } = (error.details ?? {}) as HeldDetails;
  if (until === undefined || by === undefined) return error;
  const who =
    by.kind === "model" ? "the run's model, which asks for a person" : `${by.kind} ${by.id ?? ""}`.trim();
  const { status, errorCode, details, requestId, retryAfterSeconds } = error;
  const message = `${error.message.replace(/\.$/, "")}: ${who}, until ${new Date(until).toLocaleTimeString()}`;
  return new ApiError({ status, message, errorCode, details, requestId, retryAfterSeconds });
}
