import { type Attachment, isVisible } from "../../domain/attachment/attachment.ts";
import type { AttachmentFilter } from "../../domain/attachment/attachment-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { listEntities } from "../entity/entity-list.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Rows } from "../table/query.ts";
import { parseAttachment } from "./attachment-item.ts";

const rowsMax = 10_000;

/** With both filters the rows of the run are read one by one. @throws {DomainError} `search_too_broad` */
export async function queryAttachments(
  table: DynamoTable,
  organizationId: OrganizationId,
  filter: AttachmentFilter,
  page: PageRequest,
  nowMs: number,
): Promise<Page<Attachment>> {
  const { runId, type } = filter;
  const isRead = runId !== undefined && type !== undefined;
  return await listEntities(
    table,
    {
      organizationId,
      rows: indexRows(organizationId, filter),
      counted: runId === undefined && type === undefined ? "ATTACHMENT" : undefined,
      parse: parseAttachment,
      isLiving: (attachment) => isVisible(attachment, nowMs),
      search: isRead
        ? {
            attributes: ["attachment_type", "deleted_at"],
            isMatch: (item) => item.deleted_at === undefined && item.attachment_type === type,
            rowsMax,
            noun: "attachments",
          }
        : undefined,
    },
    page,
  );
}

function indexRows(organizationId: OrganizationId, { runId, type }: AttachmentFilter): Rows {
  const order = { isDescending: true };
  if (runId !== undefined)
    return {
      index: "filter1",
      partition: filterPartitions.attachmentsByRun(organizationId, runId),
      ...order,
    };
  if (type !== undefined)
    return {
      index: "filter2",
      partition: filterPartitions.attachmentsByType(organizationId, type),
      ...order,
    };
  return { index: "list", partition: listPartitions.attachments(organizationId), ...order };
}
