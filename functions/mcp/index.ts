import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { createHttpParts, httpVariables } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { createMcpApp } from "./app.ts";

const env = readEnvironment([...httpVariables, "BASE_URL", "CORS_ORIGINS", "SERVICE_VERSION"]);
const { http } = createHttpParts(env);

export const handler = lambdaHandler(
  createMcpApp({
    ...http,
    version: env.SERVICE_VERSION,
    baseUrl: env.BASE_URL,
    originHosts: [env.BASE_URL, ...env.CORS_ORIGINS].map((origin) => new URL(origin).hostname),
  }),
  http,
);
