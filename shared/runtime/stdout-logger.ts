import type { Logger } from "../domain/logger.ts";
import { createJsonLogger, type LogLevel } from "../log/json-logger.ts";
import { systemClock } from "./system-clock.ts";

/** Straight to standard output: Lambda's `console.log` adds words of its own around the object. */
export function createStdoutLogger(level: LogLevel): Logger {
  return createJsonLogger({ level, clock: systemClock, write: (line) => process.stdout.write(line) });
}
