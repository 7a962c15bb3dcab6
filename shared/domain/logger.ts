/** Small, named values: ids, counts, codes, milliseconds. Never a token, a body, a header map, typed text. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One JSON object per line. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** `cause` is what was thrown: its name, message, stack and causes are logged. */
  error(message: string, fields?: LogFields & { readonly cause?: unknown }): void;
  with(fields: LogFields): Logger;
}
