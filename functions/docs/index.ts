import { join } from "node:path";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createStdoutLogger } from "../../shared/runtime/stdout-logger.ts";
import { systemClock } from "../../shared/runtime/system-clock.ts";
import { systemIds } from "../../shared/runtime/system-ids.ts";
import { createDocsApp } from "./app.ts";
import { folderFiles } from "./folder-files.ts";

const env = readEnvironment(["LAMBDA_TASK_ROOT", "LOG_LEVEL"]);
const files = folderFiles(join(env.LAMBDA_TASK_ROOT, "files"));
const http = { logger: createStdoutLogger(env.LOG_LEVEL), clock: systemClock, ids: systemIds };

export const handler = lambdaHandler(createDocsApp({ ...http, files }), http);
