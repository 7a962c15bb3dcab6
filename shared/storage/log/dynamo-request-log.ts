import type { RequestLogFilter, RequestLogStore } from "../../domain/audit/line-store.ts";
import type { RequestLog } from "../../domain/audit/request-log.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { actorField } from "../table/act-stamp.ts";
import { filterPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { number, orNull, row, tenant, text } from "../table/row.ts";
import { DynamoLineStore, type LineQuery } from "./dynamo-line-store.ts";

const logRow = row<RequestLog>("request_log", {
  id: text,
  organizationId: tenant,
  machineId: text,
  requestId: text,
  actor: actorField,
  method: text,
  path: text,
  statusCode: orNull(number),
  errorCode: orNull(text),
  createdAt: text,
  completedAt: orNull(text),
  durationMs: orNull(number),
  requestBytes: number,
  responseBytes: number,
});

export class DynamoRequestLog
  extends DynamoLineStore<RequestLog, RequestLogFilter>
  implements RequestLogStore
{
  protected readonly kind = "REQUEST_LOG";
  protected readonly noun = "lines";
  protected readonly row = logRow;

  protected filters({ organizationId, machineId }: RequestLog) {
    return { filter1: filterPartitions.requestLogsByMachine(organizationId, machineId) };
  }

  protected query(
    organizationId: OrganizationId,
    { machineId, method, statusCode }: RequestLogFilter,
  ): LineQuery | undefined {
    if (machineId === undefined && method === undefined && statusCode === undefined) return undefined;
    const isMatch = (item: Item) =>
      (method === undefined || item.method === method) &&
      (statusCode === undefined || item.status_code === statusCode);
    const isCompared = method !== undefined || statusCode !== undefined;
    return {
      ...(machineId !== undefined && {
        rows: {
          index: "filter1" as const,
          partition: filterPartitions.requestLogsByMachine(organizationId, machineId),
        },
      }),
      search: isCompared ? { attributes: ["method", "status_code"], isMatch } : undefined,
    };
  }
}
