import type { AuditEvent } from "../../domain/audit/act.ts";
import type { AuditFilter, AuditLog } from "../../domain/audit/line-store.ts";
import { dayOf } from "../../domain/clock.ts";
import { timestampOfId } from "../../domain/derive-id.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest, valuesOf } from "../../domain/page.ts";
import { overtakenBy, untilWritten } from "../../domain/until-written.ts";
import { transactionItemsMax } from "../../vocabulary/table.ts";
import { dayMs } from "../../vocabulary/time.ts";
import { listEntities, type RowSearch } from "../entity/entity-list.ts";
import { actorField } from "../table/act-stamp.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew, put, update, type Write } from "../table/expression.ts";
import { createdAttributes, filterPartitions, listPartitions, placeOfId } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { auditCountKey, auditCountPartition, auditEventKey } from "../table/keys.ts";
import type { ListedRows } from "../table/listed-rows.ts";
import { createdWithin, queryItems } from "../table/query.ts";
import { row, tenant, text } from "../table/row.ts";

/** One item of the transaction counts the others. */
const atOnceMax = transactionItemsMax - 1;

export interface LineStoreDeps extends StoreDeps {
  /** With 0 days no lines are kept. */
  readonly days: number;
  readonly searchRowsMax?: number;
}

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

/** As many as a filter has values. Pairs of types and ids may be more, which are searched for. */
const partitionsMax = 20;

const compared = ["actor", "operation", "resource_type", "resource_id"] as const;

interface EventQuery {
  readonly rows?: Pick<ListedRows, "index" | "partitions">;
  /** Without a search the rows are exactly the events. */
  readonly search?: Pick<RowSearch, "attributes" | "isMatch"> | undefined;
}

/** Events of a day expire together with their counter, so that the total is exact although TTL is late. */
export class DynamoAuditLog extends DynamoStore<LineStoreDeps> implements AuditLog {
  async append(events: readonly AuditEvent[]): Promise<void> {
    if (this.deps.days === 0) return;
    const groups = Map.groupBy(events, (event) => `${event.organizationId} ${dayOfEvent(event)}`);
    for (const group of groups.values()) {
      const byId = [...new Map(group.map((event) => [event.id, event])).values()];
      for (let start = 0; start < byId.length; start += atOnceMax) {
        await this.#put(byId.slice(start, start + atOnceMax));
      }
    }
  }

  async list(
    organizationId: OrganizationId,
    filter: AuditFilter,
    page: PageRequest,
  ): Promise<Page<AuditEvent>> {
    const query = queryOf(organizationId, filter);
    const { createdAtFrom, createdAtTo } = filter;
    const isWhole = query === undefined && createdAtFrom === undefined && createdAtTo === undefined;
    const oldest = this.#oldestDay();
    if (oldest === undefined) return { items: [], total: 0 };
    const from = [`${oldest}T00:00:00.000Z`, createdAtFrom ?? ""].sort().at(-1) as string;
    const rows = query?.rows ?? {
      index: "list" as const,
      partitions: [listPartitions.auditEvents(organizationId)],
    };
    const within = createdWithin({ createdAtFrom: from, ...(createdAtTo !== undefined && { createdAtTo }) });
    const { searchRowsMax: rowsMax = 10_000 } = this.deps;
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: { ...rows, ...within },
        ...(isWhole && { readTotal: () => this.#count(organizationId, oldest) }),
        parse: eventRow.parse,
        isLiving: () => true,
        cursor: {
          keyOf: (id) => auditEventKey(organizationId, id),
          // An event goes only when its day does, and every older one with it.
          placeOfGone: (id) => (timestampOfId(id) < Date.parse(oldest) ? placeOfId(id) : undefined),
        },
        search: query?.search && { ...query.search, rowsMax, noun: "events" },
      },
      page,
    );
  }

  async find(organizationId: OrganizationId, id: string): Promise<AuditEvent | undefined> {
    const item = await this.table.get(auditEventKey(organizationId, id));
    const event = item && eventRow.parse(item);
    const oldest = this.#oldestDay();
    return event && oldest !== undefined && dayOfEvent(event) >= oldest ? event : undefined;
  }

  /** The stream repeats its records, so events that exist already are left out. */
  async #put(events: readonly AuditEvent[]): Promise<void> {
    await untilWritten<readonly AuditEvent[], undefined>(this.table.pacing, {
      what: "the day's list",
      read: async () => events,
      decide: async (left) => {
        const [first] = left;
        if (first === undefined) return undefined;
        const set = { kind: "line_count", ttl: this.#ttlOf(first) };
        const { failed, failures } = await this.table.transact({
          events: left.map((event) => this.#putOf(event)),
          count: update(auditCountKey(first.organizationId, dayOfEvent(first), first.id), {
            set,
            add: { count: left.length },
          }),
        });
        if (failed === undefined) return undefined;
        return overtakenBy(left.filter((_, place) => !failures.has("events", place)));
      },
    });
  }

  #putOf(event: AuditEvent): Write {
    const { organizationId, id, resourceType, resourceId, actor } = event;
    const item = {
      ...auditEventKey(organizationId, id),
      ...eventRow.write(event),
      ...createdAttributes(event, {
        list: listPartitions.auditEvents(organizationId),
        filter1: filterPartitions.auditEventsByResource(organizationId, resourceType, resourceId),
        filter2: filterPartitions.auditEventsByActor(organizationId, actor.principal),
      }),
      ttl: this.#ttlOf(event),
    };
    return put(item, isNew);
  }

  async #count(organizationId: OrganizationId, oldest: string): Promise<number> {
    const rows = await queryItems(this.table, {
      partition: auditCountPartition(organizationId),
      from: `${oldest}#`,
    });
    return rows.reduce((sum, row) => sum + Number(row.count ?? 0), 0);
  }

  #ttlOf(event: AuditEvent): number {
    return (Date.parse(dayOfEvent(event)) + (this.deps.days + 1) * dayMs) / 1_000;
  }

  #oldestDay(): string | undefined {
    const { clock, days } = this.deps;
    return days === 0 ? undefined : dayOf(clock.now() - days * dayMs);
  }
}

function queryOf(organizationId: OrganizationId, filter: AuditFilter): EventQuery | undefined {
  const { actor, operation, resourceType, resourceId } = filter;
  const given = [actor, operation, resourceType, resourceId].filter((each) => each !== undefined).length;
  if (given === 0) return undefined;
  const isMatch = (item: Item) =>
    isAnyOf(actor, (item.actor as Item).principal) &&
    isAnyOf(operation, item.operation) &&
    isAnyOf(resourceType, item.resource_type) &&
    isAnyOf(resourceId, item.resource_id);
  const search = { attributes: compared, isMatch };
  const ofResources = valuesOf(resourceType)?.flatMap((type) =>
    (valuesOf(resourceId) ?? []).map((id) =>
      filterPartitions.auditEventsByResource(organizationId, type, id),
    ),
  );
  if (ofResources && ofResources.length > 0 && ofResources.length <= partitionsMax) {
    const rows = { index: "filter1", partitions: ofResources } as const;
    return { rows, search: given === 2 ? undefined : search };
  }
  const ofActors = valuesOf(actor)?.map((each) => filterPartitions.auditEventsByActor(organizationId, each));
  if (ofActors) {
    const rows = { index: "filter2", partitions: ofActors } as const;
    return { rows, search: given === 1 ? undefined : search };
  }
  return { search };
}

function dayOfEvent({ createdAt }: AuditEvent): string {
  return createdAt.slice(0, 10);
}
