import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { type Edit, requireEdition } from "../entity/edition.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften } from "../errors.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { changedMetadata, type MetadataChange } from "../metadata/metadata.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { CreateWorkflowInput } from "./create-workflow.ts";
import { requireContentFits, requireModelsFit, requireSchemas } from "./require-fits.ts";
import type { Workflow, WorkflowVersion } from "./workflow.ts";
import type { WorkflowDeps } from "./workflow-deps.ts";
import type { UpdateWorkflowOptions, UpdateWorkflowOutcome, WorkflowChange } from "./workflow-store.ts";

export interface UpdateWorkflowInput extends Partial<Omit<CreateWorkflowInput, "metadata">>, Edit {
  readonly workflowId: string;
  readonly metadata?: MetadataChange;
}

/**
 * Makes one conditional write, after a read where it depends on what is stored. A replaced prompt becomes an earlier
 * version in the same transaction.
 *
 * @throws {InvalidInput} as `createWorkflow`, or for too many pairs of metadata.
 * @throws {DomainError} `not_found`, also for a model configuration that it names, or `changed_meanwhile`.
 */
export async function updateWorkflow(
  deps: WorkflowDeps,
  caller: Caller,
  input: UpdateWorkflowInput,
  idempotency?: Idempotency,
): Promise<Workflow> {
  requireScope(caller, "write");
  const { workflowId, metadata, ifEdition, ...fields } = input;
  const edit = { ifEdition };
  const { organizationId } = caller;
  const now = isoTimestamp(deps.clock.now());
  await requireSchemas(deps, fields);
  const { mainPrompt, inputSchema, outputSchema, ...others } = fields;
  const { modelMetadata, modelConfigurationId, fallbackModelConfigurationIds } = others;
  const models = [modelMetadata, modelConfigurationId, fallbackModelConfigurationIds];
  const isPlain = [mainPrompt, inputSchema, outputSchema, idempotency, metadata, ...models].every(
    (value) => value === undefined,
  );
  if (isPlain) {
    const change = { ...fields, updatedAt: now };
    return requireUpdatedWorkflow(
      workflowId,
      await deps.workflows.update(organizationId, workflowId, change, { edit }),
    );
  }
  return await untilWritten(deps, {
    what: "the workflow",
    read: () => deps.workflows.find(organizationId, workflowId),
    decide: async (before) => {
      if (before === undefined) throw notFound("workflow", workflowId);
      requireEdition(before, edit);
      requireContentFits({ ...before, ...fields });
      requireModelsFit({ ...before, ...fields });
      const pairs = metadata === undefined ? {} : { metadata: changedMetadata(before.metadata, metadata) };
      const { change, options } = writeOf(before, { ...fields, ...pairs }, now, deps.ids.uuid7());
      const outcome = await deps.workflows.update(organizationId, workflowId, change, {
        ...options,
        edit,
        idempotency,
      });
      return outcome.kind === "changed" ? overtaken : requireUpdatedWorkflow(workflowId, outcome);
    },
  });
}

function writeOf(
  before: Workflow,
  fields: Partial<CreateWorkflowInput>,
  now: string,
  versionId: string,
): { readonly change: WorkflowChange; readonly options: UpdateWorkflowOptions } {
  const isNewPrompt = fields.mainPrompt !== undefined && fields.mainPrompt !== before.mainPrompt;
  const version: WorkflowVersion = {
    id: versionId,
    workflowId: before.id,
    mainPrompt: before.mainPrompt,
    createdAt: before.promptSetAt,
    replacedAt: now,
  };
  return {
    change: { ...fields, updatedAt: now, ...(isNewPrompt ? { promptSetAt: now } : {}) },
    options: { before, ...(isNewPrompt ? { version } : {}) },
  };
}

function requireUpdatedWorkflow(workflowId: string, outcome: UpdateWorkflowOutcome): Workflow {
  switch (outcome.kind) {
    case "updated":
      return outcome.workflow;
    case "not_found":
      throw notFound("workflow", workflowId);
    case "configuration_missing":
      throw notFound("model configuration", outcome.id);
    case "changed":
      throw new ChangedTooOften("the workflow");
  }
}
