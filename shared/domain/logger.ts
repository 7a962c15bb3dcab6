/** Small, named values such as ids, counts, codes and milliseconds, never a token, a body or typed text. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Logs one JSON object per line. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `cause` is the thrown value, of which name, message, stack and causes are logged. */
  error(message: string, fields?: LogFields & { readonly cause?: unknown }): void;
  with(fields: LogFields): Logger;
}
