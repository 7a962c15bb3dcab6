import { DomainError } from "../../../shared/domain/errors.ts";
import type { LogFields, Logger } from "../../../shared/domain/logger.ts";

export function simLogger(note: (text: string) => void, noteBug: (cause: unknown) => void): Logger {
  const line = (message: string) => note(`  log: ${message}`);
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: line,
    error: (message: string, fields?: LogFields & { readonly cause?: unknown }) => {
      const cause = fields?.cause;
      line(`${message} ${cause instanceof Error ? cause.message : ""}`);
      if (cause !== undefined && !(cause instanceof DomainError)) noteBug(cause);
    },
    with: () => logger,
  };
  return logger;
}
