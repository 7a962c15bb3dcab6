import { join } from "node:path";
import { serviceCalls as calls } from "../../shared/aws/metered.ts";
import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { folderFiles } from "../../shared/runtime/folder-files.ts";
import { createStdoutLogger, logVariables } from "../../shared/runtime/stdout-logger.ts";
import { systemClock, systemIds } from "../../shared/runtime/system.ts";
import { createConsoleApp } from "./app.ts";

const env = readEnvironment([
  "LAMBDA_TASK_ROOT",
  "SERVICE_VERSION",
  "WEBSOCKET_URL",
  "FILES_URL",
  "CONSOLE_SIGN_IN",
  ...logVariables,
]);
const files = folderFiles(join(env.LAMBDA_TASK_ROOT, "files"));
const settings = {
  version: env.SERVICE_VERSION,
  websocketUrl: env.WEBSOCKET_URL,
  signIn: env.CONSOLE_SIGN_IN,
};
const http = { logger: createStdoutLogger(env), calls, clock: systemClock, ids: systemIds };

export const handler = lambdaHandler(
  createConsoleApp({ ...http, files, settings, filesUrl: env.FILES_URL }),
  http,
);
