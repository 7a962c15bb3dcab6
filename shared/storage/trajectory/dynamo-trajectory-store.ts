import type { Clock } from "../../domain/clock.ts";
import { DomainError } from "../../domain/errors.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { Trajectory } from "../../domain/trajectory/trajectory.ts";
import type {
  CreateTrajectoryOutcome,
  TrajectoryChange,
  TrajectoryFilter,
  TrajectoryStore,
} from "../../domain/trajectory/trajectory-store.ts";
import { countWrite } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import { dueSortKey, duePartitions, filterPartitions, trajectoryKey, workflowKey } from "../table/keys.ts";
import { isLiving } from "../machine/machine-update.ts";
import { queryKeys } from "../table/query.ts";
import { changedEntity } from "../table/row.ts";
import { parseTrajectory, trajectoryChange, trajectoryItem } from "./trajectory-item.ts";
import { listTrajectories } from "./trajectory-list.ts";
import { refuseTaken, transactIdempotent } from "../table/transact-idempotent.ts";

export interface DynamoTrajectoryStoreOptions {
  readonly table: DynamoTable;
  readonly clock: Pick<Clock, "now">;
  /** Index rows that a search may read. @default 10_000 */
  readonly searchRowsMax?: number;
}

/** A writer with an idempotency record reads before it writes, so it may be overtaken. */
const overtakenMax = 20;

/** Rows of the index that may be of deleted ones: it is a moment behind the table. */
const latestRows = 10;

export class DynamoTrajectoryStore implements TrajectoryStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;
  readonly #searchRowsMax: number;

  constructor({ table, clock, searchRowsMax = 10_000 }: DynamoTrajectoryStoreOptions) {
    this.#table = table;
    this.#clock = clock;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: string, trajectoryId: string): Promise<Trajectory | undefined> {
    const trajectory = await this.#read(organizationId, trajectoryId);
    return trajectory?.deletedAt === null ? trajectory : undefined;
  }

  async findLatest(organizationId: string, workflowId: string): Promise<Trajectory | undefined> {
    const partition = filterPartitions.trajectoriesByWorkflow(organizationId, workflowId);
    const rows = { index: "filter1", partition, isDescending: true } as const;
    const keys = await queryKeys(this.#table, rows, { skip: 0, limit: latestRows });
    const found = (await this.#table.batchGet(keys)).map(parseTrajectory);
    return found.find((trajectory) => trajectory.deletedAt === null);
  }

  async create(trajectory: Trajectory, idempotency?: Idempotency): Promise<CreateTrajectoryOutcome> {
    const workflow = workflowKey(trajectory.organizationId, trajectory.workflowId);
    const outcome = await transactIdempotent(
      this.#table,
      [
        { kind: "check", key: workflow, condition: { expression: isLiving } },
        {
          kind: "put",
          item: trajectoryItem(trajectory),
          condition: { expression: "attribute_not_exists(pk)" },
        },
        countWrite("TRAJECTORY", trajectory, 1),
      ],
      { idempotency, result: trajectory, nowMs: this.#clock.now() },
    );
    if (outcome.kind === "written") return { kind: "created" };
    if (outcome.failed.has(0)) return { kind: "workflow_not_found" };
    throw new Error("a trajectory with this id is there already");
  }

  async update(
    organizationId: string,
    trajectoryId: string,
    change: TrajectoryChange,
    idempotency?: Idempotency,
  ): Promise<Trajectory | undefined> {
    if (idempotency) return await this.#updateIdempotent(organizationId, trajectoryId, change, idempotency);
    const key = trajectoryKey(organizationId, trajectoryId);
    const written = trajectoryChange(organizationId, change);
    const outcome = await this.#table.update(key, written, { expression: isLiving });
    return outcome.kind === "updated" ? parseTrajectory(outcome.item) : undefined;
  }

  /** The answer on record is the trajectory after the change, so it is computed from what is read. */
  async #updateIdempotent(
    organizationId: string,
    trajectoryId: string,
    change: TrajectoryChange,
    idempotency: Idempotency,
  ): Promise<Trajectory | undefined> {
    const nowMs = this.#clock.now();
    const written = trajectoryChange(organizationId, change);
    for (let attempt = 0; attempt < overtakenMax; attempt += 1) {
      const before = await this.find(organizationId, trajectoryId);
      if (!before) {
        await refuseTaken(this.#table, idempotency, nowMs);
        return undefined;
      }
      const after = changedEntity(before, change);
      const key = trajectoryKey(organizationId, trajectoryId);
      const condition = {
        expression: `${isLiving} AND revision = :revision`,
        values: { revision: before.revision },
      };
      const write = { kind: "update", key, change: written, condition } as const;
      const outcome = await transactIdempotent(this.#table, [write], { idempotency, result: after, nowMs });
      if (outcome.kind === "written") return after;
    }
    throw new DomainError("service_unavailable", "the trajectory is being changed too often; try again", {
      retryAfterSeconds: 1,
    });
  }

  async markDeleted(
    organizationId: string,
    trajectoryId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const set = {
      deleted_at: deletedAt,
      due_pk: duePartitions.deletedTrajectories,
      due_sk: dueSortKey(Date.parse(deletedAt), trajectoryId),
    };
    const remove = ["list", "filter1", "filter2"].flatMap((index) => [`${index}_pk`, `${index}_sk`]);
    const outcome = await transactIdempotent(
      this.#table,
      [
        {
          kind: "update",
          key: trajectoryKey(organizationId, trajectoryId),
          change: { set, remove, add: { revision: 1 } },
          condition: { expression: isLiving },
        },
        countWrite("TRAJECTORY", { organizationId, id: trajectoryId }, -1),
      ],
      { idempotency, result: null, nowMs: this.#clock.now() },
    );
    return outcome.kind === "written";
  }

  async list(
    organizationId: string,
    filter: TrajectoryFilter,
    page: PageRequest,
    { withData }: { readonly withData: boolean },
  ): Promise<Page<Trajectory>> {
    const options = { withData, rowsMax: this.#searchRowsMax };
    return await listTrajectories(this.#table, organizationId, filter, page, options);
  }

  async findDeleted(organizationId: string, trajectoryId: string): Promise<Trajectory | undefined> {
    const trajectory = await this.#read(organizationId, trajectoryId);
    return trajectory && trajectory.deletedAt !== null ? trajectory : undefined;
  }

  async listDeletedDue(limit: number): Promise<readonly Trajectory[]> {
    const rows = { index: "due", partition: duePartitions.deletedTrajectories } as const;
    const keys = await queryKeys(this.#table, rows, { skip: 0, limit });
    const trajectories = (await this.#table.batchGet(keys)).map(parseTrajectory);
    return trajectories.filter(({ deletedAt }) => deletedAt !== null);
  }

  async remove(organizationId: string, trajectoryId: string): Promise<void> {
    await this.#table.delete(trajectoryKey(organizationId, trajectoryId), {
      expression: "attribute_exists(deleted_at)",
    });
  }

  async #read(organizationId: string, trajectoryId: string): Promise<Trajectory | undefined> {
    const item = await this.#table.get(trajectoryKey(organizationId, trajectoryId));
    return item && parseTrajectory(item);
  }
}
