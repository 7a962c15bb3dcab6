import type { ErrorCode, LoggedErrorCode } from "../vocabulary/error-codes.ts";

export interface DomainErrorOptions {
  /** The caller sees them, so they never contain a secret, a table name, an ARN or a key. */
  readonly details?: unknown;
  /** The Retry-After header of a transient error. */
  readonly retryAfterSeconds?: number;
  /** True says that nothing was done, where the code alone leaves that open. */
  readonly nothingDone?: boolean;
  /** The status of a driver's answer, for `driver_rejected` only. */
  readonly driverStatus?: number;
  /** It stands in the log instead of the code, and nowhere else. */
  readonly loggedCode?: LoggedErrorCode;
  readonly cause?: unknown;
}

/** An operation that cannot be done, for a reason that the caller can act on. Anything else thrown is a bug. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  readonly driverStatus: number | undefined;
  readonly nothingDone: boolean;
  readonly loggedCode: ErrorCode | LoggedErrorCode;

  /** @param message is in lower case, and says what was given and what would be right. */
  constructor(code: ErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(shortened(message), { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.details = options.details ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.driverStatus = options.driverStatus;
    this.nothingDone = options.nothingDone ?? false;
    this.loggedCode = options.loggedCode ?? code;
  }
}

/** A message may quote a driver, and must not fill a response. */
const messageBytesMax = 2_048;

function shortened(message: string): string {
  // A character has three bytes at most.
  if (message.length * 3 <= messageBytesMax) return message;
  const { read } = new TextEncoder().encodeInto(message, new Uint8Array(messageBytesMax - 3));
  return read === message.length ? message : `${message.slice(0, read)}…`;
}

export function limitReached(noun: string, max: number, holder = "an organization"): DomainError {
  return new DomainError("limit_reached", `${holder} has at most ${max} ${noun}`, { details: { max } });
}

/** Other writers changed the item between each read and write. Nothing was done, and a retry may succeed. */
export class ChangedTooOften extends DomainError {
  constructor(what: string) {
    super("service_unavailable", `${what} is being changed too often; try again`, { retryAfterSeconds: 1 });
  }
}
