import { ApiError, ApiUnreachable } from "../../../shared/client/api-error.ts";
import { printable } from "../terminal/printable.ts";

/** `failed` is the end of a run that is no success, and a fault of this program. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  cancelled: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What was given cannot be understood or does not fit together; nothing was sent. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Ctrl-C ended the command. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
  constructor() {
    super("cancelled");
  }
}

export function exitCodeOf(failure: unknown): ExitCode {
  if (failure instanceof UsageError) return exitCodes.usage;
  if (failure instanceof ApiError) return exitCodes.refused;
  if (failure instanceof ApiUnreachable || failure instanceof SyntaxError) return exitCodes.unreachable;
  if (failure instanceof Cancelled) return exitCodes.cancelled;
  return exitCodes.failed;
}

/** One sentence, with the request's id where there is one. */
export function sentenceOf(failure: unknown): string {
  // Of a response alone: what is given is parsed by code that says what it is.
  if (failure instanceof SyntaxError) return "the response is no JSON: the address is not the service's own";
  const message = failure instanceof Error ? failure.message : String(failure);
  return printable(`${message}${reasonOf(failure)}`, { keepsLines: true });
}

function reasonOf(failure: unknown): string {
  if (failure instanceof ApiUnreachable) return adviceOf(failure);
  if (!(failure instanceof ApiError)) return "";
  const { errorCode, status, requestId } = failure;
  const facts = [
    errorCode ?? `status ${status}`,
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
  const isKeyRefused = status === 401 && errorCode !== undefined;
  return ` (${facts.join(", ")})${isKeyRefused ? '; "das login" saves another key' : ""}`;
}

function adviceOf({ message }: ApiUnreachable): string {
  return message.includes("ECONNREFUSED")
    ? '; nothing listens there ("npm start" runs the service on this machine)'
    : "";
}
