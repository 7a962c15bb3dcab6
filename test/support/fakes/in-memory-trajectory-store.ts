import { DomainError } from "../../../shared/domain/errors.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import type { Trajectory } from "../../../shared/domain/trajectory/trajectory.ts";
import type {
  CreateTrajectoryOutcome,
  TrajectoryChange,
  TrajectoryFilter,
  TrajectoryStore,
} from "../../../shared/domain/trajectory/trajectory-store.ts";
import type { WorkflowStore } from "../../../shared/domain/workflow/workflow-store.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";

/** Trajectories in memory, of the workflows in the store given. */
export class InMemoryTrajectoryStore implements TrajectoryStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #workflows: Pick<WorkflowStore, "find">;
  readonly #searchRowsMax: number;
  readonly #rows = new Map<string, Trajectory>();

  constructor(
    idempotencyRecords: InMemoryIdempotencyStore,
    workflows: Pick<WorkflowStore, "find">,
    searchRowsMax = 10_000,
  ) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#workflows = workflows;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: string, trajectoryId: string): Promise<Trajectory | undefined> {
    const trajectory = this.#row(organizationId, trajectoryId);
    return trajectory?.deletedAt === null ? structuredClone(trajectory) : undefined;
  }

  async findLatest(organizationId: string, workflowId: string): Promise<Trajectory | undefined> {
    return structuredClone(newestFirst(this.#living(organizationId, { workflowId }))[0]);
  }

  async create(trajectory: Trajectory, idempotency?: Idempotency): Promise<CreateTrajectoryOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const workflow = await this.#workflows.find(trajectory.organizationId, trajectory.workflowId);
    if (!workflow) return { kind: "workflow_not_found" };
    this.#idempotencyRecords.commit(idempotency, trajectory);
    this.write(trajectory);
    return { kind: "created" };
  }

  async update(
    organizationId: string,
    trajectoryId: string,
    change: TrajectoryChange,
    idempotency?: Idempotency,
  ): Promise<Trajectory | undefined> {
    this.#idempotencyRecords.check(idempotency);
    const trajectory = this.#row(organizationId, trajectoryId);
    if (!trajectory || trajectory.deletedAt !== null) return undefined;
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const changed: Trajectory = { ...trajectory, ...given, revision: trajectory.revision + 1 };
    this.#idempotencyRecords.commit(idempotency, changed);
    this.write(changed);
    return structuredClone(changed);
  }

  async markDeleted(
    organizationId: string,
    trajectoryId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const trajectory = this.#row(organizationId, trajectoryId);
    if (!trajectory || trajectory.deletedAt !== null) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    this.write({ ...trajectory, deletedAt, revision: trajectory.revision + 1 });
    return true;
  }

  async list(
    organizationId: string,
    filter: TrajectoryFilter,
    page: PageRequest,
    { withData }: { readonly withData: boolean },
  ): Promise<Page<Trajectory>> {
    const { search, isApproved, ...indexed } = filter;
    const isLookedAt = search !== undefined || (isApproved !== undefined && filter.workflowId !== undefined);
    const rows = this.#living(organizationId, filter.workflowId === undefined ? filter : indexed);
    if (isLookedAt && rows.length > this.#searchRowsMax) {
      throw new DomainError("search_too_broad", "the search reads too many trajectories; narrow its range");
    }
    const text = search?.toLowerCase() ?? "";
    const found = newestFirst(rows)
      .filter((one) => isApproved === undefined || one.isApproved === isApproved)
      .filter((one) => [one.id, one.name, one.description].some((each) => each.toLowerCase().includes(text)));
    const items = structuredClone(found.slice(page.skip, page.skip + page.limit));
    return { items: withData ? items : items.map((one) => ({ ...one, data: null })), total: found.length };
  }

  async findDeleted(organizationId: string, trajectoryId: string): Promise<Trajectory | undefined> {
    const trajectory = this.#row(organizationId, trajectoryId);
    return trajectory && trajectory.deletedAt !== null ? structuredClone(trajectory) : undefined;
  }

  async listDeletedDue(limit: number): Promise<readonly Trajectory[]> {
    const deleted = [...this.#rows.values()].filter(({ deletedAt }) => deletedAt !== null);
    deleted.sort((one, other) => (String(one.deletedAt) < String(other.deletedAt) ? -1 : 1));
    return structuredClone(deleted.slice(0, limit));
  }

  async remove(organizationId: string, trajectoryId: string): Promise<void> {
    if (!(await this.findDeleted(organizationId, trajectoryId))) return;
    this.#rows.delete(keyOf(organizationId, trajectoryId));
  }

  /** Puts a row in place, whatever was there: to arrange a test. */
  write(trajectory: Trajectory): void {
    this.#rows.set(keyOf(trajectory.organizationId, trajectory.id), structuredClone(trajectory));
  }

  #row(organizationId: string, trajectoryId: string): Trajectory | undefined {
    return this.#rows.get(keyOf(organizationId, trajectoryId));
  }

  #living(organizationId: string, filter: TrajectoryFilter): readonly Trajectory[] {
    const from = Date.parse(filter.createdAtFrom ?? "") || 0;
    const to = Date.parse(filter.createdAtTo ?? "") || Number.MAX_SAFE_INTEGER;
    return [...this.#rows.values()].filter(
      (one) =>
        one.organizationId === organizationId &&
        one.deletedAt === null &&
        (filter.workflowId === undefined || one.workflowId === filter.workflowId) &&
        (filter.isApproved === undefined || one.isApproved === filter.isApproved) &&
        Date.parse(one.createdAt) >= from &&
        Date.parse(one.createdAt) <= to,
    );
  }
}

function keyOf(organizationId: string, trajectoryId: string): string {
  return JSON.stringify([organizationId, trajectoryId]);
}

function newestFirst(trajectories: readonly Trajectory[]): readonly Trajectory[] {
  return trajectories.toSorted((one, other) =>
    `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? 1 : -1,
  );
}
