import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { requireContentFits, requireModelsFit, requireSchemas } from "./require-fits.ts";
import type { Workflow, WorkflowSettings } from "./workflow.ts";
import type { WorkflowDeps } from "./workflow-deps.ts";

export type CreateWorkflowInput = Partial<WorkflowSettings> & Pick<Workflow, "mainPrompt">;

const executionDefaults = {
  executor: "service",
  replay: "auto",
  leave: "as_is",
  onHoldTimeout: "fail",
  mayAsk: false,
  allowShell: false,
  keepScreenshots: true,
  maxSteps: 100,
  maxDurationSeconds: 3_600,
  maxTokens: null,
} as const satisfies Partial<Workflow>;

/**
 * @throws {InvalidInput} for contents beyond the bound, an invalid JSON Schema, or models that exclude each other.
 * @throws {DomainError} `not_found` for a model configuration that it names.
 */
export async function createWorkflow(
  deps: WorkflowDeps,
  caller: Caller,
  input: CreateWorkflowInput,
  idempotency?: Idempotency,
): Promise<Workflow> {
  requireScope(caller, "write");
  const createdAt = isoTimestamp(deps.clock.now());
  const workflow: Workflow = {
    name: "",
    inputSchema: null,
    outputSchema: null,
    includesFileExports: false,
    isWebhooksEnabled: false,
    modelMetadata: null,
    modelConfigurationId: null,
    fallbackModelConfigurationIds: [],
    metadata: {},
    ...executionDefaults,
    ...input,
    id: idempotency?.ids[0] ?? deps.ids.uuid7(),
    organizationId: caller.organizationId,
    userId: caller.userId,
    tagIds: [],
    createdAt,
    updatedAt: createdAt,
    promptSetAt: createdAt,
    deletedAt: null,
    revision: 1,
    edition: 0,
  };
  requireContentFits(workflow);
  requireModelsFit(workflow);
  await requireSchemas(deps, input);
  const outcome = await deps.workflows.create(workflow, idempotency);
  if (outcome.kind === "configuration_missing") throw notFound("model configuration", outcome.id);
  return workflow;
}
