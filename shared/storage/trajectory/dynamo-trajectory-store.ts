import type { Edit } from "../../domain/entity/edition.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest, valuesOf } from "../../domain/page.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type {
  CreateTrajectoryOutcome,
  TrajectoryChange,
  TrajectoryFilter,
  TrajectoryStore,
  UpdateTrajectoryOutcome,
  Warned,
} from "../../domain/trajectory/trajectory-store.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { hasText, listEntities } from "../entity/entity-list.ts";
import { updateEntity } from "../entity/update-entity.ts";
import { counting } from "../table/counters.ts";
import { isAsRead, living } from "../table/expression.ts";
import { attributesOf, filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { mainTrajectoryKey, trajectoryKey } from "../table/keys.ts";
import { type ListedRows, narrowestIndex } from "../table/listed-rows.ts";
import { createdWithin, isWithin, queryKeys } from "../table/query.ts";
import {
  isPointerTo,
  mainParts,
  mainTrajectoryRow,
  parseTrajectory,
  trajectoryChange,
  trajectoryCreation,
  trajectoryRow,
} from "./trajectory-item.ts";

/** Some rows may be of deleted trajectories: the index is eventually consistent. */
const latestRows = 10;

/** A search reads only these: the inputs alone may be 64 KB. */
const looked = ["id", "name", "description", "is_approved", "run_id", "updated_at", "deleted_at"] as const;

export class DynamoTrajectoryStore extends DynamoEntityStore<Trajectory> implements TrajectoryStore {
  protected readonly kind = "trajectory";
  protected readonly count = counting("TRAJECTORY");
  protected readonly listed = attributesOf("list", "filter1", "filter2");
  protected readonly key = trajectoryKey;
  protected readonly parse = parseTrajectory;

  async findLatest(organizationId: OrganizationId, workflowId: string): Promise<Trajectory | undefined> {
    const partition = filterPartitions.trajectoriesByWorkflow(organizationId, workflowId);
    const rows = { index: "filter1", partition, isDescending: true } as const;
    const keys = await queryKeys(this.table, rows, { skip: 0, limit: latestRows });
    const found = (await this.table.batchGet(keys)).map(parseTrajectory);
    return found.find((trajectory) => trajectory.deletedAt === null);
  }

  async findMain(organizationId: OrganizationId, workflowId: string): Promise<Trajectory | undefined> {
    const main = await this.#pointedAt(organizationId, workflowId);
    const found = main === undefined ? undefined : await this.find(organizationId, main);
    return found?.isApproved === true ? found : undefined;
  }

  async create(trajectory: Trajectory, idempotency?: Idempotency): Promise<CreateTrajectoryOutcome> {
    const { failed } = await this.transact(idempotency, trajectory, trajectoryCreation(trajectory));
    if (failed === "trajectory") throw new Error("a trajectory with this id is there already");
    return { kind: failed === "workflow" ? "workflow_not_found" : "created" };
  }

  async update(
    organizationId: OrganizationId,
    trajectoryId: string,
    change: TrajectoryChange,
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<Trajectory | undefined> {
    const outcome = await updateEntity(this.deps, {
      what: "the trajectory",
      key: trajectoryKey(organizationId, trajectoryId),
      parse: parseTrajectory,
      change,
      write: trajectoryChange(organizationId, change),
      condition: living,
      idempotency,
      edit,
      refuse: (current) => (current?.deletedAt === null ? undefined : ({ kind: "not_found" } as const)),
    });
    return outcome.kind === "updated" ? outcome.entity : undefined;
  }

  async updateAsRead(
    before: Trajectory,
    { warnings, ...change }: TrajectoryChange & Warned,
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<UpdateTrajectoryOutcome> {
    const { organizationId, id, workflowId } = before;
    const isMain = change.isMain === before.isMain ? undefined : change.isMain;
    const pointedAt = isMain ? await this.#pointedAt(organizationId, workflowId) : undefined;
    const main = pointedAt === undefined ? undefined : await this.read(organizationId, pointedAt);
    const outcome = await updateEntity<
      Trajectory & Warned,
      Exclude<UpdateTrajectoryOutcome, { kind: "updated" }>,
      keyof ReturnType<typeof mainParts>
    >(this.deps, {
      what: "the trajectory",
      key: trajectoryKey(organizationId, id),
      parse: parseTrajectory,
      change: { ...change, warnings },
      write: trajectoryChange(organizationId, change),
      condition: isAsRead(before),
      idempotency,
      before,
      edit,
      refuse: (current) => (current?.revision === before.revision ? undefined : { kind: "changed" }),
      beside: isMain === undefined ? undefined : (_, after) => mainParts(after, main, { pointedAt, edit }),
      refuseBeside: async (failures) => ({
        kind: failures.has("workflow") ? "workflow_not_found" : "changed",
      }),
    });
    return outcome.kind === "updated"
      ? { kind: "updated", trajectory: { ...outcome.entity, ...(warnings && { warnings }) } }
      : outcome;
  }

  /** Two filters, or others than the indexes serve, read rows one by one. @throws {DomainError} `search_too_broad` */
  async list(
    organizationId: OrganizationId,
    filter: TrajectoryFilter,
    page: PageRequest,
    { withData, withScreens = false }: { readonly withData: boolean; readonly withScreens?: boolean },
  ): Promise<Page<Trajectory>> {
    const { workflowId, isApproved, createdAtFrom, createdAtTo } = filter;
    const isServed = !isRead(filter) && (workflowId === undefined || isApproved === undefined);
    const isWhole = [workflowId, isApproved, createdAtFrom, createdAtTo].every(
      (given) => given === undefined,
    );
    return await listEntities(
      this.table,
      {
        organizationId,
        rows: indexRows(organizationId, filter),
        counted: isServed && isWhole ? "TRAJECTORY" : undefined,
        attributes: trajectoryRow.attributes(
          ...(withData ? [] : (["data"] as const)),
          ...(withScreens ? [] : (["screens"] as const)),
        ),
        parse: parseTrajectory,
        isLiving: (trajectory) => trajectory.deletedAt === null,
        search: isServed
          ? undefined
          : {
              attributes: looked,
              isMatch: (item) => isMatch(item, filter),
              rowsMax: this.searchRowsMax,
              noun: "trajectories",
            },
      },
      page,
    );
  }

  async remove(organizationId: OrganizationId, trajectoryId: string): Promise<void> {
    const deleted = await this.findDeleted(organizationId, trajectoryId);
    if (deleted?.isMain) {
      const pointer = mainTrajectoryKey(organizationId, deleted.workflowId);
      await this.table.delete(pointer, isPointerTo(trajectoryId));
    }
    await this.removeRow(organizationId, trajectoryId);
  }

  /** The trajectory with this id may be gone. */
  async #pointedAt(organizationId: OrganizationId, workflowId: string): Promise<string | undefined> {
    const item = await this.table.get(mainTrajectoryKey(organizationId, workflowId));
    return item && mainTrajectoryRow.parse(item).trajectoryId;
  }
}

/** No index serves these filters. */
function isRead({ search, runId, updatedAtFrom, updatedAtTo }: TrajectoryFilter): boolean {
  return [search, runId, updatedAtFrom, updatedAtTo].some((given) => given !== undefined);
}

function indexRows(organizationId: OrganizationId, filter: TrajectoryFilter): ListedRows {
  const partitions = filterPartitions;
  const { workflowId, isApproved } = filter;
  const index = narrowestIndex({
    filter1: valuesOf(workflowId)?.map((id) => partitions.trajectoriesByWorkflow(organizationId, id)),
    filter2:
      isApproved === undefined ? undefined : [partitions.trajectoriesByApproval(organizationId, isApproved)],
    list: [listPartitions.trajectories(organizationId)],
  });
  return { ...index, ...createdWithin(filter) };
}

function isMatch(item: Item, filter: TrajectoryFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (filter.isApproved !== undefined && item.is_approved !== filter.isApproved) return false;
  if (!isAnyOf(filter.runId, item.run_id)) return false;
  if (!isWithin(item.updated_at, filter.updatedAtFrom, filter.updatedAtTo)) return false;
  return hasText(item, ["id", "name", "description"], filter.search);
}
