import type { LineStore } from "../../domain/audit/line-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { CreatedRange, Page, PageRequest } from "../../domain/page.ts";
import { overtakenBy, untilWritten } from "../../domain/until-written.ts";
import { transactionItemsMax } from "../../vocabulary/table.ts";
import { dayMs } from "../../vocabulary/time.ts";
import { listEntities, type RowSearch } from "../entity/entity-list.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isNew, put, update, type Write } from "../table/expression.ts";
import { createdAttributes, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { type LineKind, lineCountKey, lineCountPartition, lineKey } from "../table/keys.ts";
import { createdWithin, queryItems, type Rows } from "../table/query.ts";

/** One item of a transaction counts the others. */
const atOnceMax = transactionItemsMax - 1;

export interface LineStoreDeps extends StoreDeps {
  /** With 0 days no lines are kept. */
  readonly days: number;
  readonly searchRowsMax?: number;
}

interface Line {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly createdAt: string;
}

export interface LineQuery {
  readonly rows?: Pick<Rows, "index" | "partition">;
  /** Without a search the rows are exactly the lines. */
  readonly search?: Pick<RowSearch, "attributes" | "isMatch"> | undefined;
}

/** Lines of a day expire together with their counter, so that the total is exact although TTL is late. */
export abstract class DynamoLineStore<Each extends Line, Filter extends CreatedRange>
  extends DynamoStore<LineStoreDeps>
  implements LineStore<Each, Filter>
{
  protected abstract readonly kind: LineKind;
  protected abstract readonly noun: string;
  protected abstract readonly row: { write(line: Each): Item; parse(item: Item): Each };
  protected abstract filters(line: Each): { readonly filter1: string; readonly filter2?: string };
  /** Returns undefined when only a time range is given. */
  protected abstract query(organizationId: OrganizationId, filter: Filter): LineQuery | undefined;

  async append(lines: readonly Each[]): Promise<void> {
    if (this.deps.days === 0) return;
    const groups = Map.groupBy(lines, (line) => `${line.organizationId} ${dayOf(line)}`);
    for (const group of groups.values()) {
      const byId = [...new Map(group.map((line) => [line.id, line])).values()];
      for (let start = 0; start < byId.length; start += atOnceMax) {
        await this.#put(byId.slice(start, start + atOnceMax));
      }
    }
  }

  async list(organizationId: OrganizationId, filter: Filter, page: PageRequest): Promise<Page<Each>> {
    const query = this.query(organizationId, filter);
    const { createdAtFrom, createdAtTo } = filter;
    const isWhole = query === undefined && createdAtFrom === undefined && createdAtTo === undefined;
    const oldest = this.#oldestDay();
    if (oldest === undefined) return { items: [], total: 0 };
    const from = [`${oldest}T00:00:00.000Z`, createdAtFrom ?? ""].sort().at(-1) as string;
    const rows: Rows = query?.rows ?? {
      index: "list",
      partition: listPartitions.lines(organizationId, this.kind),
    };
    const within = createdWithin({ createdAtFrom: from, ...(createdAtTo !== undefined && { createdAtTo }) });
    const { searchRowsMax: rowsMax = 10_000 } = this.deps;
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: { ...rows, ...within, isDescending: true },
        ...(isWhole && { readTotal: () => this.#count(organizationId, oldest) }),
        parse: this.row.parse,
        isLiving: () => true,
        search: query?.search && { ...query.search, rowsMax, noun: this.noun },
      },
      page,
    );
  }

  async find(organizationId: OrganizationId, id: string): Promise<Each | undefined> {
    const item = await this.table.get(lineKey(organizationId, this.kind, id));
    const line = item && this.row.parse(item);
    const oldest = this.#oldestDay();
    return line && oldest !== undefined && dayOf(line) >= oldest ? line : undefined;
  }

  /** The stream repeats its records, so lines that exist already are left out. */
  async #put(lines: readonly Each[]): Promise<void> {
    await untilWritten<readonly Each[], undefined>(this.table.pacing, {
      what: "the day's list",
      read: async () => lines,
      decide: async (left) => {
        const [first] = left;
        if (first === undefined) return undefined;
        const set = { kind: "line_count", ttl: this.#ttlOf(first) };
        const key = lineCountKey(first.organizationId, this.kind, dayOf(first), first.id);
        const { failed, failures } = await this.table.transact({
          lines: left.map((line) => this.#putOf(line)),
          count: update(key, { set, add: { count: left.length } }),
        });
        if (failed === undefined) return undefined;
        return overtakenBy(left.filter((_, place) => !failures.has("lines", place)));
      },
    });
  }

  #putOf(line: Each): Write {
    const { organizationId, id } = line;
    const item = {
      ...lineKey(organizationId, this.kind, id),
      ...this.row.write(line),
      ...createdAttributes(line, {
        list: listPartitions.lines(organizationId, this.kind),
        ...this.filters(line),
      }),
      ttl: this.#ttlOf(line),
    };
    return put(item, isNew);
  }

  async #count(organizationId: OrganizationId, oldest: string): Promise<number> {
    const partition = lineCountPartition(organizationId, this.kind);
    const rows = await queryItems(this.table, { partition, from: `${oldest}#` });
    return rows.reduce((sum, row) => sum + Number(row.count ?? 0), 0);
  }

  #ttlOf(line: Each): number {
    return (Date.parse(`${dayOf(line)}T00:00:00.000Z`) + (this.deps.days + 1) * dayMs) / 1_000;
  }

  #oldestDay(): string | undefined {
    const { clock, days } = this.deps;
    return days === 0 ? undefined : new Date(clock.now() - days * dayMs).toISOString().slice(0, 10);
  }
}

function dayOf({ createdAt }: Line): string {
  return createdAt.slice(0, 10);
}
