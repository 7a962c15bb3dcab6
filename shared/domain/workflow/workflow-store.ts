import type { OrganizationId } from "../access/organization-id.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Page, PageRequest } from "../page.ts";
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
    | "promptSetAt"
  >
> &
  Pick<Workflow, "updatedAt">;

export interface WorkflowFilter {
  /** Substring of id, name or prompt, whatever the case. */
  readonly search?: string;
  /** ISO 8601, both ends included. */
  readonly createdAtFrom?: string;
  readonly createdAtTo?: string;
  readonly updatedAtFrom?: string;
  readonly updatedAtTo?: string;
  /** Has all of these living tags. */
  readonly tagIds?: readonly string[];
}

export type UpdateWorkflowOutcome =
  | { readonly kind: "updated"; readonly workflow: Workflow }
  | { readonly kind: "not_found" }
  /** Changed since it was read, when `revision` was given. */
  | { readonly kind: "changed" };

export interface UpdateWorkflowOptions {
  readonly idempotency?: Idempotency | undefined;
  /** Write only if the workflow is still what was read here. */
  readonly before?: Workflow | undefined;
  /** The prompt that goes, for the list of earlier ones. */
  readonly version?: WorkflowVersion | undefined;
}

/** Deleted workflows are never found. */
export interface WorkflowStore {
  /** One consistent read. */
  find(organizationId: OrganizationId, workflowId: string): Promise<Workflow | undefined>;
  /**
   * Those that are there, each once, in no order; one call per 100.
   *
   * @throws {DomainError} `answer_too_large` beyond 5 MB.
   */
  findMany(organizationId: OrganizationId, workflowIds: readonly string[]): Promise<readonly Workflow[]>;
  /** Only which tags they have, for many at once; one call per 100. */
  findTagIds(
    organizationId: OrganizationId,
    workflowIds: readonly string[],
  ): Promise<readonly Pick<Workflow, "id" | "tagIds">[]>;
  /** Workflow and count in one transaction, with the idempotency record when one is given. @throws {AlreadyOnRecord} */
  create(workflow: Workflow, idempotency?: Idempotency): Promise<void>;
  /**
   * One conditional write; a transaction with a version or an idempotency record, which need `before`.
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
   * Hides the workflow and lowers the count in one transaction; the row stays, marked deleted and due, until
   * `remove`. False when there is no such workflow.
   *
   * @throws {AlreadyOnRecord}
   */
  markDeleted(
    organizationId: OrganizationId,
    workflowId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean>;
  /**
   * Newest first, with the exact total.
   *
   * @throws {DomainError} `search_too_broad` beyond 10,000 rows read, `answer_too_large` beyond 5 MB.
   */
  list(organizationId: OrganizationId, filter: WorkflowFilter, page: PageRequest): Promise<Page<Workflow>>;
  /** Newest first: at most 100, and no more than make up 4 MB. */
  listVersions(organizationId: OrganizationId, workflowId: string): Promise<readonly WorkflowVersion[]>;

  /** For the projector and the sweeper: one that is marked deleted. */
  findDeleted(organizationId: OrganizationId, workflowId: string): Promise<Workflow | undefined>;
  /** The last step of a deletion: earlier prompts and the row go. Can be done again after an interruption. */
  remove(organizationId: OrganizationId, workflowId: string): Promise<void>;
}
