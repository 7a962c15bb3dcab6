import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest, UpdatedRange } from "../page.ts";
import type { Spilled } from "../spill.ts";
import type { Trajectory } from "./trajectory.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type TrajectoryChange = Partial<
  Pick<
    Trajectory,
    | "name"
    | "description"
    | "dimensions"
    | "isApproved"
    | "originalInputValues"
    | "hasBeenApproved"
    | "verifiedAt"
    | "isMain"
  >
> &
  Pick<Trajectory, "updatedAt"> & {
    /** The reader of the table's stream removes the objects that these replace. */
    readonly data?: Spilled;
    readonly screens?: Spilled;
  };

/** The warnings of an approval, in the response to it. */
export interface Warned {
  readonly warnings?: readonly string[];
}

export type UpdateTrajectoryOutcome =
  | { readonly kind: "updated"; readonly trajectory: Trajectory & Warned }
  | { readonly kind: "changed" }
  | { readonly kind: "workflow_not_found" };

export interface TrajectoryFilter extends CreatedRange, UpdatedRange {
  readonly workflowId?: string;
  readonly isApproved?: boolean;
  readonly isGenerated?: boolean;
  /** That it was made of. */
  readonly runId?: string;
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
  create(trajectory: Trajectory & Warned, idempotency?: Idempotency): Promise<CreateTrajectoryOutcome>;
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
   * Changes it on the condition that it is as it was read. A new value of `isMain` changes the workflow's main one in
   * the same transaction: of one workflow at most one is.
   *
   * @throws {AlreadyOnRecord}
   */
  updateAsRead(
    before: Trajectory,
    change: TrajectoryChange & Warned,
    idempotency?: Idempotency,
  ): Promise<UpdateTrajectoryOutcome>;
  /**
   * Newest first, with the exact total; `data` and `screens` only when requested, null otherwise.
   *
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read.
   */
  list(
    organizationId: OrganizationId,
    filter: TrajectoryFilter,
    page: PageRequest,
    options: { readonly withData: boolean; readonly withScreens?: boolean },
  ): Promise<Page<Trajectory>>;
}
