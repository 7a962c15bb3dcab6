import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../../../../shared/client/api-error.ts";
import type { Workflow } from "../../../../../shared/contract/workflow.ts";
import type { Tagged } from "../../data/call-any.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Form } from "../../parts/form/form.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { MetadataFields } from "./metadata-fields.tsx";
import { PromptEditor } from "./prompt-editor.tsx";
import { SchemaEditor } from "./schema-editor.tsx";
import { withField } from "./schema-rows.ts";
import { SettingsForm } from "./settings-form.tsx";
import {
  bodyOf,
  type Changes,
  changedMeanwhile,
  draftOf,
  type EditedField,
  withChange,
} from "./workflow-draft.ts";

interface WorkflowFormProps {
  /** As it is now: read anew it may differ from what the form began with. */
  readonly workflow: Tagged<Workflow>;
  readonly reload: () => Promise<void>;
}

export function WorkflowForm({ workflow, reload }: WorkflowFormProps) {
  const can = useCan();
  const { act, isBusy, error } = useAction();
  const [base, setBase] = useState(workflow);
  const [changes, setChanges] = useState<Changes>({});
  const [isRefused, setRefused] = useState(false);
  const isChanged = Object.keys(changes).length > 0;
  const draft = draftOf(base.body, changes);
  const isReadOnly = !can("write");

  // What is not changed here follows what others save.
  useEffect(() => {
    if (!isChanged) setBase(workflow);
  }, [workflow, isChanged]);
  useEffect(() => {
    if (!(error instanceof ApiError) || error.errorCode !== "changed_meanwhile") return;
    setRefused(true);
    void reload();
  }, [error]);
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isChanged]);

  const save = async (from: Tagged<Workflow>, saved: Changes) => {
    const input = { path: { workflow_id: from.body.id }, body: bodyOf(from.body, saved), ifMatch: from.etag };
    const done = await act("updateWorkflow", input, { done: "The workflow is saved.", isQuiet: true });
    if (done === undefined) return;
    await reload();
    setChanges({});
  };
  const keep = async (theirs: readonly EditedField[]) => {
    const kept = Object.entries(changes).filter(([field]) => !theirs.includes(field as EditedField));
    const mine = withChange(workflow.body, {}, Object.fromEntries(kept));
    setRefused(false);
    setBase(workflow);
    setChanges(mine);
    if (Object.keys(mine).length > 0) await save(workflow, mine);
  };
  const onChange = (change: Changes) => setChanges(withChange(base.body, changes, change));
  const meanwhile = isRefused ? changedMeanwhile(base.body, workflow.body, changes) : [];
  return (
    <Form class="workflow-form" onSubmit={() => save(base, changes)}>
      <TextField
        label="Name"
        hint="For people."
        value={draft.name}
        maxLength={255}
        readOnly={isReadOnly}
        onText={(text) => onChange({ name: text })}
      />
      <PromptEditor
        prompt={draft.main_prompt}
        schema={draft.input_schema}
        includesFileExports={draft.includes_file_exports}
        isReadOnly={isReadOnly}
        onPrompt={(main_prompt) => onChange({ main_prompt })}
        onAddInput={(name) => onChange({ input_schema: withField(draft.input_schema, name) })}
      />
      <div class="setting-groups">
        <SchemaEditor
          title="Inputs"
          hint="The form that starts runs, and what runs’ inputs are checked by."
          schema={draft.input_schema}
          isReadOnly={isReadOnly}
          onSchema={(input_schema) => onChange({ input_schema })}
        />
        <SchemaEditor
          title="Output"
          hint="What a run puts out is checked by it."
          schema={draft.output_schema}
          isReadOnly={isReadOnly}
          onSchema={(output_schema) => onChange({ output_schema })}
        />
      </div>
      <SettingsForm draft={draft} isReadOnly={isReadOnly} onChange={onChange} />
      <MetadataFields
        metadata={draft.metadata}
        isReadOnly={isReadOnly}
        onMetadata={(metadata) => onChange({ metadata })}
      />
      {isReadOnly ? null : (
        <div class={isChanged ? "save-bar save-bar-open" : "save-bar"}>
          {error === undefined || isRefused ? null : <Failure error={error} />}
          <p role="status">
            {isChanged ? `Not saved yet: ${Object.keys(changes).join(", ")}` : "Everything is saved."}
          </p>
          <div class="actions">
            <Button text="Undo" disabled={!isChanged || isBusy} onClick={() => setChanges({})} />
            <button type="submit" class="primary" disabled={!isChanged || isBusy}>
              Save
            </button>
          </div>
        </div>
      )}
      {isRefused && workflow.etag !== base.etag ? (
        <ConflictDialog
          meanwhile={meanwhile}
          onKeep={(theirs) => void keep(theirs)}
          onClose={() => setRefused(false)}
        />
      ) : null}
    </Form>
  );
}
