import type { Edit } from "../../domain/entity/edition.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest } from "../../domain/page.ts";
import type { Schedule } from "../../domain/schedule/schedule.ts";
import type {
  CreateScheduleOutcome,
  ScheduleChange,
  ScheduleFilter,
  ScheduleStore,
  UpdateScheduleOutcome,
} from "../../domain/schedule/schedule-store.ts";
import { type ScheduleStop, schedulesMax } from "../../vocabulary/schedules.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { hasMetadata, hasText, listEntities } from "../entity/entity-list.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { limiting, readLimitCount } from "../table/counters.ts";
import { isAsRead, isNew, put } from "../table/expression.ts";
import { attributesOf, listPartitions, placeOfId } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { scheduleKey } from "../table/keys.ts";
import { createdWithin } from "../table/query.ts";
import { parseSchedule, scheduleChange, scheduleItem, scheduleRow } from "./schedule-item.ts";

/** A search reads only these: the inputs alone may be 64 KB. */
const looked = ["id", "name", "workflow_id", "is_enabled", "metadata", "deleted_at"] as const;

type Refusal = Exclude<UpdateScheduleOutcome, { readonly kind: "updated" }>;

export class DynamoScheduleStore extends DynamoEntityStore<Schedule> implements ScheduleStore {
  protected readonly kind = "schedule";
  protected readonly count = limiting("SCHEDULE", schedulesMax);
  protected readonly listed = attributesOf("list");
  protected readonly key = scheduleKey;
  protected readonly parse = parseSchedule;

  async create(schedule: Schedule, idempotency?: Idempotency): Promise<CreateScheduleOutcome> {
    const { failed } = await this.transact(idempotency, schedule, {
      limit: this.count(schedule, 1),
      schedule: put(scheduleItem(schedule), isNew),
    });
    if (failed === "schedule") throw new Error("a schedule with this id is there already");
    return { kind: failed === "limit" ? "limit_reached" : "created" };
  }

  async update(
    before: Schedule,
    change: ScheduleChange,
    { idempotency, edit }: Parameters<ScheduleStore["update"]>[2] = {},
  ): Promise<UpdateScheduleOutcome> {
    return await this.#update(before, change, idempotency, edit);
  }

  async switchOff(before: Schedule, disabledReason: ScheduleStop, updatedAt: string): Promise<boolean> {
    const change = { isEnabled: false, disabledReason, updatedAt };
    return (await this.#update(before, change, undefined, undefined)).kind === "updated";
  }

  async #update(
    before: Schedule,
    change: ScheduleChange,
    idempotency: Idempotency | undefined,
    edit: Edit | undefined,
  ): Promise<UpdateScheduleOutcome> {
    const outcome = await updateEntity<Schedule, Refusal>(this.deps, {
      what: "the schedule",
      key: scheduleKey(before.organizationId, before.id),
      parse: parseSchedule,
      change,
      write: scheduleChange(before, change),
      idempotency,
      before,
      edit,
      condition: isAsRead(before),
      refuse: (current) => {
        if (current === undefined || current.deletedAt !== null) return { kind: "not_found" };
        return current.revision === before.revision ? undefined : { kind: "changed" };
      },
    });
    return outcome.kind === "updated" ? { kind: "updated", schedule: outcome.entity } : outcome;
  }

  async list(
    organizationId: OrganizationId,
    filter: ScheduleFilter,
    page: PageRequest,
  ): Promise<Page<Schedule>> {
    const { createdAtFrom, createdAtTo, ...others } = filter;
    const isSearch = Object.values(others).some((value) => value !== undefined);
    const isWhole = createdAtFrom === undefined && createdAtTo === undefined;
    const question = {
      organizationId,
      rows: {
        index: "list" as const,
        partitions: [listPartitions.schedules(organizationId)],
        ...createdWithin(filter),
      },
      ...(isWhole && { readTotal: () => readLimitCount(this.table, organizationId, "SCHEDULE") }),
      attributes: scheduleRow.attributes("contents"),
      parse: parseSchedule,
      isLiving: ({ deletedAt }: Schedule) => deletedAt === null,
      search: isSearch
        ? {
            attributes: looked,
            isMatch: (item: Item) => isMatch(item, filter),
            rowsMax: this.searchRowsMax,
            noun: "schedules",
          }
        : undefined,
      cursor: { keyOf: (id: string) => scheduleKey(organizationId, id), placeOfGone: placeOfId },
    };
    return await listEntities(this.table, question, page);
  }

  async remove(organizationId: OrganizationId, id: string): Promise<void> {
    await this.removeRow(organizationId, id);
  }
}

function isMatch(item: Item, { search, workflowId, isEnabled, metadata }: ScheduleFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (isEnabled !== undefined && item.is_enabled !== isEnabled) return false;
  if (!isAnyOf(workflowId, item.workflow_id)) return false;
  return hasMetadata(item, metadata) && hasText(item, ["id", "name"], search);
}
