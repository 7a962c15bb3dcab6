import { ApiError, ApiUnreachable } from "../../../../shared/client/api-error.ts";

/** The API's own sentence, beginning as one; an error of the page itself says so. */
export function sentenceOf(failure: unknown): string {
  const text = failure instanceof Error ? failure.message : String(failure);
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** For a question to the service's operators. */
export function requestIdOf(failure: unknown): string | undefined {
  return failure instanceof ApiError ? failure.requestId : undefined;
}

/** A service that is away for a while comes back by itself. */
export function isPassing(failure: unknown): boolean {
  return failure instanceof ApiUnreachable || (failure instanceof ApiError && failure.status >= 500);
}
