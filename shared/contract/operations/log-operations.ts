import { AuditEvent, AuditEventList, AuditEventsQuery } from "../audit-event.ts";
import { RequestLog, RequestLogList, RequestLogsQuery } from "../request-log.ts";
import { defineOperations, reading } from "./operation.ts";

const audit = "Audit events";

export const logOperations = defineOperations("Request log", [
  {
    ...reading,
    id: "listRequestLogs",
    path: "/v1/request-logs",
    summary: "Lists calls to desktops",
    description:
      "The list is sorted newest first; calls are in it a few seconds after they have ended, and are kept for 7 days unless the operator says otherwise. They come in the order in which they ended. `machine_id`, `method` and `status_code` read at most 100,000 lines; beyond that, narrow the time.",
    query: RequestLogsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: RequestLogList } },
  },
  {
    ...reading,
    id: "getRequestLog",
    path: "/v1/request-logs/{request_log_id}",
    summary: "Reads one call to a desktop",
    responses: { 200: { description: "The log's entry for the call.", schema: RequestLog } },
  },
  {
    ...reading,
    id: "listAuditEvents",
    path: "/v1/audit-events",
    tag: audit,
    summary: "Lists who changed what",
    description:
      "The list is sorted newest first, with an event for every request that changed a resource, a few seconds after it; kept for 400 days unless the operator says otherwise. Calls to desktops are in the request log. `operation`, `resource_type` without `resource_id`, and several filters at once read at most 10,000 events; beyond that, narrow the time.",
    query: AuditEventsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: AuditEventList } },
  },
  {
    ...reading,
    id: "getAuditEvent",
    path: "/v1/audit-events/{audit_event_id}",
    tag: audit,
    summary: "Reads one audit event",
    responses: { 200: { description: "The event.", schema: AuditEvent } },
  },
]);
