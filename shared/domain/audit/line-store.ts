import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, CreatedRange, Page, PageRequest } from "../page.ts";
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
  readonly actor?: AnyOf<string>;
  readonly operation?: AnyOf<string>;
  readonly resourceType?: AnyOf<string>;
  readonly resourceId?: AnyOf<string>;
}

export interface RequestLogFilter extends CreatedRange {
  readonly machineId?: AnyOf<string>;
  readonly method?: AnyOf<string>;
  readonly statusCode?: AnyOf<number>;
}

export type AuditLog = LineStore<AuditEvent, AuditFilter>;
export type RequestLogStore = LineStore<RequestLog, RequestLogFilter>;
