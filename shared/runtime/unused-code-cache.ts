import { readEnvironment } from "./environment.ts";
import { createStdoutLogger, logVariables } from "./stdout-logger.ts";

export function report(reason: string): void {
  const logger = createStdoutLogger(readEnvironment(logVariables));
  logger.warn("code cache unused", { code_cache_unused: 1, reason });
}
