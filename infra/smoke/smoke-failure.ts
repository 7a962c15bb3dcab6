import { ApiError, ApiUnreachable } from "../../shared/client/api-error.ts";

/** A step failed, and this part of the service is the one to look at. */
export class SmokeFailure extends Error {
  override readonly name = "SmokeFailure";
  readonly part: string;

  constructor(part: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.part = part;
  }
}

/** @param part is what a step without a diagnosis of its own depends on. */
export function failureOf(error: unknown, part: string): SmokeFailure {
  if (error instanceof SmokeFailure) return error;
  return new SmokeFailure(part, sentenceOf(error), { cause: error });
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    const code = error.errorCode ?? `status ${error.status}`;
    const request = error.requestId === undefined ? "" : `, request ${error.requestId}`;
    return `${error.message} (${code}${request})`;
  }
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ApiUnreachable) return error.message;
  // Why a connection failed is in the innermost cause alone.
  return error.cause instanceof Error ? `${error.message}: ${sentenceOf(error.cause)}` : error.message;
}
