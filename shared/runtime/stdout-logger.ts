import type { Logger } from "../domain/logger.ts";
import { createJsonLogger } from "../log/json-logger.ts";
import type { Environment } from "./environment.ts";
import { systemClock } from "./system.ts";

export const logVariables = ["LOG_LEVEL", "DEPLOYMENT"] as const;

/** Lines go straight to standard output, because Lambda's `console.log` adds words of its own around the object. */
export function createStdoutLogger(env: Environment<(typeof logVariables)[number]>): Logger {
  return createJsonLogger({
    level: env.LOG_LEVEL,
    deployment: env.DEPLOYMENT,
    clock: systemClock,
    write: (line) => process.stdout.write(line),
  });
}
