import type { UpdateWorkflowBody, Workflow } from "../../../../../shared/contract/workflow.ts";

/** The fields of a workflow that its page changes. */
const editedFields = [
  "name",
  "main_prompt",
  "input_schema",
  "output_schema",
  "executor",
  "replay",
  "leave",
  "model_metadata",
  "model_configuration_id",
  "fallback_model_configuration_ids",
  "max_steps",
  "max_duration_seconds",
  "max_tokens",
  "on_hold_timeout",
  "may_ask",
  "allow_shell",
  "keep_screenshots",
  "includes_file_exports",
  "is_webhooks_enabled",
  "metadata",
] as const satisfies readonly (keyof Workflow & keyof UpdateWorkflowBody)[];

export type EditedField = (typeof editedFields)[number];
export type EditedWorkflow = Pick<Workflow, EditedField>;
/** What somebody has changed and not saved; a number that is none yet is its text. */
export type Changes = Readonly<Partial<Record<EditedField, unknown>>>;

/** A change back to what is saved is none. */
export function withChange(saved: EditedWorkflow, changes: Changes, change: Changes): Changes {
  const all = { ...changes, ...change };
  return Object.fromEntries(
    Object.entries(all).filter(([field, value]) => !isSame(saved[field as EditedField], value)),
  );
}

/** What the form shows. */
export function draftOf(saved: EditedWorkflow, changes: Changes): EditedWorkflow {
  return { ...saved, ...changes } as EditedWorkflow;
}

/** The body of the PATCH: pairs of metadata are removed one by one. */
export function bodyOf(saved: EditedWorkflow, changes: Changes): UpdateWorkflowBody {
  const { metadata, ...others } = changes as Partial<EditedWorkflow>;
  if (metadata === undefined) return others as UpdateWorkflowBody;
  const removed = Object.keys(saved.metadata).filter((key) => !Object.hasOwn(metadata, key));
  return {
    ...others,
    metadata: { ...metadata, ...Object.fromEntries(removed.map((key) => [key, null])) },
  } as UpdateWorkflowBody;
}

export interface Meanwhile {
  readonly field: EditedField;
  readonly before: unknown;
  readonly theirs: unknown;
  /** Undefined where only somebody else has changed the field. */
  readonly mine: unknown;
}

/** What somebody else has saved since a draft was begun. */
export function changedMeanwhile(
  before: EditedWorkflow,
  now: EditedWorkflow,
  changes: Changes,
): readonly Meanwhile[] {
  return editedFields
    .filter((field) => !isSame(before[field], now[field]))
    .map((field) => ({ field, before: before[field], theirs: now[field], mine: changes[field] }));
}

/** An empty field is null; what is no number stays its text, which the service refuses in its own words. */
export function numberOf(text: string): number | string | null {
  if (text.trim() === "") return null;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
