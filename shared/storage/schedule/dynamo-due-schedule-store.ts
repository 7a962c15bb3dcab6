import { organizationIdOf } from "../../domain/organization-id.ts";
import type { NewRuns } from "../../domain/run/run-store.ts";
import type {
  DuePlace,
  DueScheduleStore,
  Settlement,
  SettleOutcome,
} from "../../domain/schedule/due-schedule-store.ts";
import type { Schedule } from "../../domain/schedule/schedule.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { writeNewRunsBeside } from "../run/run-creation.ts";
import { queryDue } from "../table/due-items.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isAsRead, update } from "../table/expression.ts";
import { shardOfDuePartition } from "../table/index-keys.ts";
import { timestampOfSortKey } from "../table/key-parts.ts";
import { scheduleKey } from "../table/keys.ts";
import { changedEntity } from "../table/row.ts";
import { parseSchedule, scheduleChange } from "./schedule-item.ts";

export class DynamoDueScheduleStore extends DynamoStore<StoreDeps> implements DueScheduleStore {
  async listDue(untilMs: number, shard?: number): Promise<readonly DuePlace[]> {
    const rows = await queryDue(this.table, "DUE#SCHEDULE", { untilMs, shard });
    return rows.map(({ pk, due_pk, due_sk }) => {
      const [, organization = "", , id = ""] = String(pk).split("#");
      return {
        organizationId: organizationIdOf(decodeURIComponent(organization)),
        id: decodeURIComponent(id),
        dueMs: timestampOfSortKey(String(due_sk)),
        shard: shardOfDuePartition(String(due_pk)),
      };
    });
  }

  async findDue(places: readonly Pick<DuePlace, "organizationId" | "id">[]): Promise<readonly Schedule[]> {
    const items = await this.table.batchGet(
      places.map(({ organizationId, id }) => scheduleKey(organizationId, id)),
    );
    return items.map(parseSchedule).filter(({ isEnabled, deletedAt }) => isEnabled && deletedAt === null);
  }

  async settle(before: Schedule, settlement: Settlement, news?: NewRuns): Promise<SettleOutcome> {
    if (news === undefined) return await this.#note(before, settlement);
    const key = scheduleKey(before.organizationId, before.id);
    const beside = update(key, scheduleChange(before, settlement), isAsRead(before));
    const outcome = await writeNewRunsBeside(this.table, news, beside, this.deps.clock.now());
    switch (outcome.kind) {
      case "created":
        return { kind: "settled", schedule: changedEntity(before, settlement) };
      case "beside_failed":
        return { kind: "changed" };
      case "missing":
        return outcome;
      case "there_already":
        return await this.#note(before, settlement);
      case "repeated":
      case "session_ended":
        throw new Error(`a schedule's run joins no session and has no parts, but was ${outcome.kind}`);
    }
  }

  async #note(before: Schedule, settlement: Settlement): Promise<SettleOutcome> {
    const outcome = await updateEntity<Schedule, { readonly kind: "changed" }>(this.deps, {
      what: "the schedule",
      key: scheduleKey(before.organizationId, before.id),
      parse: parseSchedule,
      change: settlement,
      write: scheduleChange(before, settlement),
      condition: isAsRead(before),
      refuse: () => ({ kind: "changed" }),
    });
    return outcome.kind === "updated" ? { kind: "settled", schedule: outcome.entity } : outcome;
  }
}
