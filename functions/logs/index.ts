import { lambdaHandler } from "../../shared/http/lambda-handler.ts";
import { accessVariables, createAccessParts } from "../../shared/runtime/create-http-parts.ts";
import { readEnvironment } from "../../shared/runtime/environment.ts";
import { DynamoAuditLog } from "../../shared/storage/log/dynamo-audit-log.ts";
import { DynamoRequestLog } from "../../shared/storage/log/dynamo-request-log.ts";
import { createLogsApp } from "./app.ts";

const env = readEnvironment([...accessVariables, "AUDIT_DAYS", "REQUEST_LOG_DAYS"]);
const { http, table } = createAccessParts(env);
const { clock } = http;
const auditLog = new DynamoAuditLog({ table, clock, days: env.AUDIT_DAYS });
const requestLog = new DynamoRequestLog({ table, clock, days: env.REQUEST_LOG_DAYS });

export const handler = lambdaHandler(createLogsApp({ ...http, auditLog, requestLog }), http);
