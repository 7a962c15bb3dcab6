import type { Hono } from "hono";
import { logOperations } from "../../shared/contract/operations/log-operations.ts";
import type { AuditLog, RequestLogStore } from "../../shared/domain/audit/line-store.ts";
import { getLine, listLines } from "../../shared/domain/audit/read-lines.ts";
import { createCallersApp } from "../../shared/http/create-callers-app.ts";
import type { AccessDeps, AppDeps, RateLimitDeps } from "../../shared/http/http-deps.ts";
import type { HttpEnv } from "../../shared/http/http-env.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";
import { presentAuditEvent, presentRequestLog } from "./present-lines.ts";

export interface LogsAppDeps extends AppDeps, AccessDeps, RateLimitDeps {
  readonly auditLog: Pick<AuditLog, "list" | "find">;
  readonly requestLog: Pick<RequestLogStore, "list" | "find">;
}

export function createLogsApp(deps: LogsAppDeps): Hono<HttpEnv> {
  return createCallersApp(deps, logOperations, {
    listRequestLogs: async ({ caller, query: { skip, limit, after, ...filter } }) => {
      const input = { filter: given(inCamelCase(filter)), page: { skip, limit, after } };
      const { items, total } = await listLines(deps.requestLog, caller, input);
      return { items: items.map(presentRequestLog), total, skip, limit };
    },
    getRequestLog: async ({ caller, path }) =>
      presentRequestLog(await getLine(deps.requestLog, caller, { id: path.request_log_id })),
    listAuditEvents: async ({ caller, query: { skip, limit, after, ...filter } }) => {
      const input = { filter: given(inCamelCase(filter)), page: { skip, limit, after } };
      const { items, total } = await listLines(deps.auditLog, caller, input);
      return { items: items.map(presentAuditEvent), total, skip, limit };
    },
    getAuditEvent: async ({ caller, path }) =>
      presentAuditEvent(await getLine(deps.auditLog, caller, { id: path.audit_event_id })),
  });
}
