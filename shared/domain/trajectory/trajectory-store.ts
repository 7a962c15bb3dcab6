import type { OrganizationId } from "../access/organization-id.ts";
import type { EntityStore } from "../entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { CreatedRange, Page, PageRequest } from "../page.ts";
import type { Spilled } from "../spill.ts";
import type { Trajectory } from "./trajectory.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type TrajectoryChange = Partial<
  Pick<Trajectory, "name" | "description" | "dimensions" | "isApproved" | "originalInputValues">
> &
  Pick<Trajectory, "updatedAt"> & {
    /** The reader of the table's stream removes the object that this replaces. */
    readonly data?: Spilled;
  };

export interface TrajectoryFilter extends CreatedRange {
  readonly workflowId?: string;
  readonly isApproved?: boolean;
  /** Case-insensitive substring of id, name or description. */
  readonly search?: string;
}

export type CreateTrajectoryOutcome = { readonly kind: "created" } | { readonly kind: "workflow_not_found" };

export interface TrajectoryStore extends EntityStore<Trajectory> {
  /** The newest one of a workflow. */
  findLatest(organizationId: OrganizationId, workflowId: string): Promise<Trajectory | undefined>;
  /** The one that the workflow's runs go by: approved, and not deleted. */
  findMain(organizationId: OrganizationId, workflowId: string): Promise<Trajectory | undefined>;
  /**
   * Writes trajectory and count in one transaction, on the condition that its workflow exists.
   *
   * @throws {AlreadyOnRecord}
   */
  create(trajectory: Trajectory, idempotency?: Idempotency): Promise<CreateTrajectoryOutcome>;
  /**
   * One conditional write; with an idempotency record, one read and one transaction, which records the trajectory as
   * the result. Undefined when there is no such trajectory.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    trajectoryId: string,
    change: TrajectoryChange,
    idempotency?: Idempotency,
  ): Promise<Trajectory | undefined>;
  /**
   * Newest first, with the exact total; `data` only when requested, null otherwise.
   *
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read.
   */
  list(
    organizationId: OrganizationId,
    filter: TrajectoryFilter,
    page: PageRequest,
    options: { readonly withData: boolean },
  ): Promise<Page<Trajectory>>;
}
