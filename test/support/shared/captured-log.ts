import type { Clock } from "../../../shared/domain/clock.ts";
import type { Logger } from "../../../shared/domain/logger.ts";
import { createJsonLogger } from "../../../shared/log/json-logger.ts";

export interface CapturedLog {
  readonly logger: Logger;
  /** The whole text written, to search it for text that must not be there. */
  text(): string;
  lines(): readonly Readonly<Record<string, unknown>>[];
}

export function captureLog(clock: Pick<Clock, "now">): CapturedLog {
  const written: string[] = [];
  return {
    logger: createJsonLogger({
      level: "debug",
      deployment: "test",
      clock,
      write: (line) => written.push(line),
    }),
    text: () => written.join(""),
    lines: () => written.map((line) => JSON.parse(line)),
  };
}
