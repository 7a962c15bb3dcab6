import { useState } from "preact/hooks";
import type { JsonValue } from "../../../../../shared/contract/fields/json-value.ts";
import { useAction } from "../../data/use-action.ts";
import { DialogForm } from "../../parts/form/dialog-form.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import { PromptEditor } from "../edit/prompt-editor.tsx";
import { readPrompt } from "../edit/prompt-names.ts";
import { withField } from "../edit/schema-rows.ts";

/** The least that a workflow needs; the rest is on its page. */
export function CreateWorkflow({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [prompt, setPrompt] = useState("");
  const { act, isBusy, error } = useAction();
  const inputs = readPrompt(prompt, [], false).names.filter(({ isSecret }) => !isSecret);
  const create = async () => {
    const input_schema = inputs.reduce<Readonly<Record<string, unknown>> | null>(
      (schema, input) => withField(schema, input.name),
      null,
    );
    const body = {
      name,
      main_prompt: prompt,
      ...(input_schema && { input_schema: input_schema as Record<string, JsonValue> }),
    };
    const made = await act("createWorkflow", { body }, { done: "The workflow is there.", isQuiet: true });
    if (made !== undefined) navigate(hrefOf("workflows", made.body.id));
  };
  return (
    <DialogForm
      title="Write a workflow"
      isWide
      verb="Make the workflow"
      isOff={isBusy || prompt.trim() === ""}
      error={error}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField label="Name" hint="For people." value={name} maxLength={255} onText={setName} />
      <PromptEditor prompt={prompt} schema={null} includesFileExports={false} onPrompt={setPrompt} />
      <p class="hint">
        {inputs.length === 0
          ? "Each {name} in the prompt becomes a field of the form that starts runs."
          : `Fields of the form that starts runs: ${inputs.map((input) => input.name).join(", ")}.`}
      </p>
    </DialogForm>
  );
}
