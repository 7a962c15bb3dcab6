import type { AuditEvent } from "../../domain/audit/act.ts";
import { stampOf } from "../table/act-stamp.ts";
import { resourceOfKey } from "../table/keys.ts";
import { organizationIdAttribute } from "../table/row.ts";
import { imagesOf, type TableStreamRecord } from "./stream-changes.ts";

/** The item has a new act, or an act removed it. */
export function readAuditEvent(record: TableStreamRecord): AuditEvent | undefined {
  const { before, after } = imagesOf(record);
  const item = after ?? before;
  const stamp = stampOf(item);
  if (item === undefined || stamp === undefined) return undefined;
  const { isRemoving = false, ...act } = stamp;
  // TTL deletions have no actor.
  const isDone = after === undefined ? isRemoving && record.userIdentity === undefined : !isRemoving;
  if (!isDone || (after !== undefined && stampOf(before)?.id === act.id)) return undefined;
  const resource = resourceOfKey({ pk: String(item.pk), sk: String(item.sk) });
  if (resource === undefined) return undefined;
  return {
    ...act,
    organizationId: organizationIdAttribute.parse(item.organization_id),
    resourceId: resource.id,
  };
}
