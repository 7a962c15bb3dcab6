import type { LogFields, Logger } from "../../../shared/domain/logger.ts";

export interface LoggedLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
}

export class RecordingLogger implements Logger {
  readonly lines: LoggedLine[];
  readonly #fields: LogFields;

  constructor(lines: LoggedLine[] = [], fields: LogFields = {}) {
    this.lines = lines;
    this.#fields = fields;
  }

  debug(message: string, fields?: LogFields): void {
    this.#log("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#log("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#log("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#log("error", message, fields);
  }

  with(fields: LogFields): Logger {
    return new RecordingLogger(this.lines, { ...this.#fields, ...fields });
  }

  #log(level: LoggedLine["level"], message: string, fields: LogFields = {}): void {
    this.lines.push({ level, message, fields: { ...this.#fields, ...fields } });
  }
}
