import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { AuditEvent } from "./act.ts";
import type { RequestLog } from "./request-log.ts";

export interface LineStore<Line, Filter> {
  /** Stores each line once, however often it is appended; 99 lines of an organization and day share a transaction. */
  append(lines: readonly Line[]): Promise<void>;
  /** Lists newest first. */
  list(organizationId: OrganizationId, filter: Filter, page: PageRequest): Promise<Page<Line>>;
  find(organizationId: OrganizationId, id: string): Promise<Line | undefined>;
}

export interface AuditFilter extends CreatedRange {
  readonly actor?: string;
  readonly operation?: string;
  readonly resourceType?: string;
  readonly resourceId?: string;
}

export interface RequestLogFilter extends CreatedRange {
  readonly machineId?: string;
  readonly method?: string;
  readonly statusCode?: number;
}

export type AuditLog = LineStore<AuditEvent, AuditFilter>;
export type RequestLogStore = LineStore<RequestLog, RequestLogFilter>;
