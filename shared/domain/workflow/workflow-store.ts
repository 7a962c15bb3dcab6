import type { Edit } from "../entity/edition.ts";
import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest, UpdatedRange } from "../page.ts";
import type { Workflow, WorkflowSettings, WorkflowVersion } from "./workflow.ts";

export type WorkflowChange = Partial<WorkflowSettings & Pick<Workflow, "promptSetAt">> &
  Pick<Workflow, "updatedAt">;

export interface WorkflowFilter extends CreatedRange, UpdatedRange {
  /** A case-insensitive substring of id, name or prompt. */
  readonly search?: string;
  readonly tagIds?: readonly string[];
  readonly metadata?: Metadata;
}

interface ConfigurationMissing {
  readonly kind: "configuration_missing";
  readonly id: string;
}

export type CreateWorkflowOutcome = { readonly kind: "created" } | ConfigurationMissing;

export type UpdateWorkflowOutcome =
  | { readonly kind: "updated"; readonly workflow: Workflow }
  | { readonly kind: "not_found" }
  /** The workflow changed since `before` was read. */
  | { readonly kind: "changed" }
  | ConfigurationMissing;

export interface UpdateWorkflowOptions {
  readonly idempotency?: Idempotency | undefined;
  readonly before?: Workflow | undefined;
  readonly version?: WorkflowVersion | undefined;
  readonly edit?: Edit | undefined;
}

export interface WorkflowStore extends EntityStore<Workflow> {
  /** Returns the existing ones, each once, unordered. @throws {DomainError} `answer_too_large` beyond 5 MB */
  findMany(organizationId: OrganizationId, workflowIds: readonly string[]): Promise<readonly Workflow[]>;
  findTagIds(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<readonly Pick<Workflow, "id" | "tagIds">[]>;
  /** Requires in the same transaction that the named model configurations exist. */
  create(workflow: Workflow, idempotency?: Idempotency): Promise<CreateWorkflowOutcome>;
  /**
   * Makes one conditional write, or a transaction if a version, a configuration or a record needs `before`.
   * @throws {ChangedMeanwhile}
   */
  update(
    organizationId: OrganizationId,
    workflowId: string,
    change: WorkflowChange,
    options?: UpdateWorkflowOptions,
  ): Promise<UpdateWorkflowOutcome>;
  /** Lists newest first, with the exact total. @throws {DomainError} `search_too_broad` or `answer_too_large` */
  list(organizationId: OrganizationId, filter: WorkflowFilter, page: PageRequest): Promise<Page<Workflow>>;
  /** Lists newest first. @throws {DomainError} `answer_too_large` beyond 5 MB. */
  listVersions(
    organizationId: OrganizationId,
    workflowId: string,
    page: PageRequest,
  ): Promise<readonly WorkflowVersion[]>;
}
