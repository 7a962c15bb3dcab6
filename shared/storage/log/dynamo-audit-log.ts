import type { AuditEvent } from "../../domain/audit/act.ts";
import type { AuditFilter, AuditLog } from "../../domain/audit/line-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { actorField } from "../table/act-stamp.ts";
import { filterPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { row, tenant, text } from "../table/row.ts";
import { DynamoLineStore, type LineQuery } from "./dynamo-line-store.ts";

const eventRow = row<AuditEvent>("audit_event", {
  id: text,
  organizationId: tenant,
  createdAt: text,
  actor: actorField,
  operation: text,
  resourceType: text,
  resourceId: text,
  requestId: text,
});

const compared = ["actor", "operation", "resource_type", "resource_id"] as const;

export class DynamoAuditLog extends DynamoLineStore<AuditEvent, AuditFilter> implements AuditLog {
  protected readonly kind = "AUDIT_EVENT";
  protected readonly noun = "events";
  protected readonly row = eventRow;

  protected filters({ organizationId, resourceType, resourceId, actor }: AuditEvent) {
    return {
      filter1: filterPartitions.auditEventsByResource(organizationId, resourceType, resourceId),
      filter2: filterPartitions.auditEventsByActor(organizationId, actor.principal),
    };
  }

  protected query(organizationId: OrganizationId, filter: AuditFilter): LineQuery | undefined {
    const { actor, operation, resourceType, resourceId } = filter;
    const given = [actor, operation, resourceType, resourceId].filter((each) => each !== undefined).length;
    if (given === 0) return undefined;
    const isMatch = (item: Item) =>
      (actor === undefined || (item.actor as Item).principal === actor) &&
      (operation === undefined || item.operation === operation) &&
      (resourceType === undefined || item.resource_type === resourceType) &&
      (resourceId === undefined || item.resource_id === resourceId);
    const search = { attributes: compared, isMatch };
    if (resourceType !== undefined && resourceId !== undefined) {
      const partition = filterPartitions.auditEventsByResource(organizationId, resourceType, resourceId);
      return { rows: { index: "filter1", partition }, search: given === 2 ? undefined : search };
    }
    if (actor !== undefined) {
      const partition = filterPartitions.auditEventsByActor(organizationId, actor);
      return { rows: { index: "filter2", partition }, search: given === 1 ? undefined : search };
    }
    return { search };
  }
}
