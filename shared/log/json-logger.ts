import type { Clock } from "../domain/clock.ts";
import type { LogFields, Logger } from "../domain/logger.ts";
import { type LogLevel, logLevels } from "../vocabulary/log-levels.ts";
import { describeError } from "./describe-error.ts";
import { embeddedMetrics } from "./embedded-metrics.ts";

export interface JsonLoggerOptions {
  /** Lines below this level are not written, except those with metrics. */
  readonly level: LogLevel;
  readonly clock: Pick<Clock, "now">;
  /** Writes one line with its line feed. A Lambda uses standard output, because its console adds words of its own. */
  readonly write: (line: string) => void;
  /** Without it, no metrics are written. */
  readonly deployment?: string;
  readonly fields?: LogFields;
}

export function createJsonLogger(options: JsonLoggerOptions): Logger {
  const lowest = logLevels.indexOf(options.level);
  const log = (level: LogLevel, message: string, { cause, ...fields }: LogFields = {}): void => {
    const { deployment } = options;
    const nowMs = options.clock.now();
    const metrics =
      deployment === undefined ? undefined : embeddedMetrics(message, fields, { deployment, nowMs });
    if (logLevels.indexOf(level) < lowest && metrics === undefined) return;
    const line = {
      ...metrics,
      timestamp: new Date(nowMs).toISOString(),
      level,
      message,
      ...options.fields,
      ...fields,
      ...(cause === undefined ? {} : { cause: describeError(cause) }),
    };
    options.write(`${JSON.stringify(line)}\n`);
  };
  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields) => log("error", message, fields),
    with: (fields) => createJsonLogger({ ...options, fields: { ...options.fields, ...fields } }),
  };
}
