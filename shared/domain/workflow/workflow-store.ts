import type { EntityStore } from "../entity/entity-store.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { CreatedRange, Page, PageRequest, UpdatedRange } from "../page.ts";
import type { Workflow, WorkflowVersion } from "./workflow.ts";

/** The fields that a PATCH can give a new value. Absent means unchanged. */
export type WorkflowChange = Partial<
  Pick<
    Workflow,
    | "name"
    | "mainPrompt"
    | "inputSchema"
    | "outputSchema"
    | "includesFileExports"
    | "isWebhooksEnabled"
    | "modelMetadata"
    | "modelConfigurationId"
    | "fallbackModelConfigurationIds"
    | "executor"
    | "replay"
    | "allowShell"
    | "keepScreenshots"
    | "leave"
    | "maxSteps"
    | "maxDurationSeconds"
    | "maxTokens"
    | "promptSetAt"
  >
> &
  Pick<Workflow, "updatedAt">;

export interface WorkflowFilter extends CreatedRange, UpdatedRange {
  /** Case-insensitive substring of id, name or prompt. */
  readonly search?: string;
  /** Has all of these tags, none of them deleted. */
  readonly tagIds?: readonly string[];
}

/** An organization's own model configuration that it names is not there. */
interface ConfigurationMissing {
  readonly kind: "configuration_missing";
  readonly id: string;
}

export type CreateWorkflowOutcome = { readonly kind: "created" } | ConfigurationMissing;

export type UpdateWorkflowOutcome =
  | { readonly kind: "updated"; readonly workflow: Workflow }
  | { readonly kind: "not_found" }
  /** Changed since it was read, when `revision` was given. */
  | { readonly kind: "changed" }
  | ConfigurationMissing;

export interface UpdateWorkflowOptions {
  readonly idempotency?: Idempotency | undefined;
  /** Write only if the workflow is unchanged since this read. */
  readonly before?: Workflow | undefined;
  /** The replaced prompt, for the list of earlier ones. */
  readonly version?: WorkflowVersion | undefined;
}

export interface WorkflowStore extends EntityStore<Workflow> {
  /**
   * The existing ones, each once, unordered; one call per 100.
   *
   * @throws {DomainError} `answer_too_large` beyond 5 MB.
   */
  findMany(organizationId: OrganizationId, workflowIds: readonly string[]): Promise<readonly Workflow[]>;
  /** Only the tag ids, for many at once; one call per 100. */
  findTagIds(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<readonly Pick<Workflow, "id" | "tagIds">[]>;
  /**
   * Writes workflow, counts and any idempotency record in one transaction, on the condition that the model
   * configurations that it names are there.
   *
   * @throws {AlreadyOnRecord}
   */
  create(workflow: Workflow, idempotency?: Idempotency): Promise<CreateWorkflowOutcome>;
  /**
   * One conditional write; a transaction with a version, a model configuration or an idempotency record, which need
   * `before`.
   *
   * @throws {AlreadyOnRecord}
   */
  update(
    organizationId: OrganizationId,
    workflowId: string,
    change: WorkflowChange,
    options?: UpdateWorkflowOptions,
  ): Promise<UpdateWorkflowOutcome>;
  /**
   * Newest first, with the exact total.
   *
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read, `answer_too_large` beyond 5 MB.
   */
  list(organizationId: OrganizationId, filter: WorkflowFilter, page: PageRequest): Promise<Page<Workflow>>;
  /** Newest first. @throws {DomainError} `answer_too_large` beyond 5 MB. */
  listVersions(
    organizationId: OrganizationId,
    workflowId: string,
    page: PageRequest,
  ): Promise<readonly WorkflowVersion[]>;
}
