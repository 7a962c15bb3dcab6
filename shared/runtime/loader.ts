import { loadBundle, readCodeCache } from "./code-cache.ts";
import { readEnvironment } from "./environment.ts";
import { createStdoutLogger, logVariables } from "./stdout-logger.ts";

/** The build puts this module beside each function's bundle; its handler is what Lambda calls. */
const env = readEnvironment(["LAMBDA_TASK_ROOT", ...logVariables]);
const cache = readCodeCache(env.LAMBDA_TASK_ROOT);
const { exports, script } = loadBundle(env.LAMBDA_TASK_ROOT, typeof cache === "string" ? undefined : cache);
const unused = script.cachedDataRejected === true ? "rejected" : cache;
if (typeof unused === "string")
  createStdoutLogger(env).warn("code cache unused", { code_cache_unused: 1, reason: unused });

export const { handler } = exports as { readonly handler: unknown };
