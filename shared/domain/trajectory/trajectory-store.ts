import type { Edit } from "../entity/edition.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { AnyOf, CreatedRange, Page, PageRequest, UpdatedRange } from "../page.ts";
import type { Spilled } from "../spill.ts";
import type { Trajectory } from "./trajectory.ts";

/** An absent field is unchanged. */
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
    /** The reader of the table's stream removes the replaced objects. */
    readonly data?: Spilled;
    readonly screens?: Spilled;
  };

export interface Warned {
  readonly warnings?: readonly string[];
}

export type UpdateTrajectoryOutcome =
  | { readonly kind: "updated"; readonly trajectory: Trajectory & Warned }
  | { readonly kind: "changed" }
  | { readonly kind: "workflow_not_found" };

export interface TrajectoryFilter extends CreatedRange, UpdatedRange {
  readonly workflowId?: AnyOf<string>;
  readonly isApproved?: boolean;
  readonly runId?: AnyOf<string>;
  /** A case-insensitive substring of id, name or description. */
  readonly search?: string;
}

export type CreateTrajectoryOutcome = { readonly kind: "created" } | { readonly kind: "workflow_not_found" };

export interface TrajectoryStore extends EntityStore<Trajectory> {
  findLatest(organizationId: OrganizationId, workflowId: string): Promise<Trajectory | undefined>;
  findMain(organizationId: OrganizationId, workflowId: string): Promise<Trajectory | undefined>;
  /** Makes one transaction with the count, on the condition that the workflow exists. @throws {AlreadyOnRecord} */
  create(trajectory: Trajectory & Warned, idempotency?: Idempotency): Promise<CreateTrajectoryOutcome>;
  /**
   * Makes one conditional write, or with a record one read and one transaction.
   * @throws {AlreadyOnRecord} @throws {ChangedMeanwhile}
   */
  update(
    organizationId: OrganizationId,
    trajectoryId: string,
    change: TrajectoryChange,
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<Trajectory | undefined>;
  /**
   * A new `isMain` also changes the workflow's other main trajectory in the transaction. A run's write is no edit.
   * @throws {AlreadyOnRecord} @throws {ChangedMeanwhile}
   */
  updateAsRead(
    before: Trajectory,
    change: TrajectoryChange & Warned,
    idempotency?: Idempotency,
    edit?: Edit,
  ): Promise<UpdateTrajectoryOutcome>;
  /**
   * Lists newest first; `data` and `screens` are null unless requested.
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read.
   */
  list(
    organizationId: OrganizationId,
    filter: TrajectoryFilter,
    page: PageRequest,
    options: { readonly withData: boolean; readonly withScreens?: boolean },
  ): Promise<Page<Trajectory>>;
}
