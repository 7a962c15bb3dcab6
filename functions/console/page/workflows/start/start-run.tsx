import { useMemo, useState } from "preact/hooks";
import type { Workflow } from "../../../../../shared/contract/workflow.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Failure } from "../../parts/failure.tsx";
import { Check } from "../../parts/form/check.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { valuesOf } from "../../parts/form/schema-fields.ts";
import { TextField } from "../../parts/form/text-field.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import { elementView, inputsIn, secretsIn } from "../trajectory/element-view.ts";
import { readFiles } from "./read-files.ts";
import { RunInputFields } from "./run-input-fields.tsx";
import { inputsBody, nothingGiven, type RecordedNames, runInputs } from "./run-inputs.ts";
import { anyMachine, TargetFields, targetBody } from "./target-fields.tsx";

/** The form that the schema, the prompt and the recording ask for. */
export function StartRun({ workflow }: { readonly workflow: Workflow }) {
  const { act, isBusy, error } = useAction();
  const [target, setTarget] = useState(anyMachine);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [given, setGiven] = useState(nothingGiven);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [files, setFiles] = useState<readonly File[]>([]);
  const [count, setCount] = useState(1);
  const [isPriority, setPriority] = useState(false);
  const recorded = useRecordedNames(workflow.id);
  const { fields, secrets } = useMemo(
    () => runInputs(workflow, offered, recorded),
    [workflow, offered, recorded],
  );
  const start = async () => {
    const read = valuesOf(fields, given.inputs);
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0) return;
    const body = {
      workflow_id: workflow.id,
      ...targetBody(target),
      ...inputsBody(read.values, secrets, given),
      ...(files.length > 0 && { file_inputs: [...(await readFiles(files))] }),
      ...(isPriority && { is_priority: true }),
    };
    if (count > 1) {
      const done = `${count} runs wait.`;
      const made = await act("createRuns", { body: { ...body, count } }, { isQuiet: true, done });
      if (made !== undefined) navigate(hrefOf("runs", undefined, { workflow_id: workflow.id }));
      return;
    }
    const made = await act("createRun", { body }, { isQuiet: true });
    if (made !== undefined) navigate(hrefOf("runs", made.body.id));
  };
  return (
    <Form class="panel start-run" noValidate onSubmit={start}>
      {error === undefined ? null : <Failure error={error} />}
      {fields.length + secrets.length === 0 ? (
        <p>It needs no input.</p>
      ) : (
        <fieldset class="choices">
          <legend>Inputs</legend>
          <RunInputFields
            fields={fields}
            secrets={secrets}
            given={given}
            problems={problems}
            onGiven={setGiven}
          />
        </fieldset>
      )}
      <fieldset class="choices">
        <legend>Where</legend>
        <TargetFields
          target={target}
          onTarget={(next, names) => {
            setTarget(next);
            setOffered(names);
          }}
        />
      </fieldset>
      <details>
        <summary>Files, number of runs, priority</summary>
        <Field label="Files" hint="Put into ~/Transfers before the first action; 4 MB in all.">
          {(control) => (
            <input
              {...control}
              type="file"
              multiple
              onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])}
            />
          )}
        </Field>
        <TextField
          label="Runs"
          hint="All with these inputs."
          type="number"
          min={1}
          max={1_000}
          value={count}
          onText={(text) => setCount(Number(text) || 1)}
        />
        <Check isChecked={isPriority} onCheck={setPriority}>
          before all runs without priority
        </Check>
      </details>
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {count > 1 ? `Start ${count} runs` : "Start the run"}
        </button>
      </div>
    </Form>
  );
}

const nothing: RecordedNames = { inputs: [], secrets: [] };

/** What the main recording names, which runs must give. */
function useRecordedNames(workflowId: string): RecordedNames {
  const trajectories = useCall("listTrajectories", {
    query: { workflow_id: workflowId, limit: 20, fields: ["is_main"] },
  });
  const main = trajectories.data?.items.find(({ is_main }) => is_main)?.id;
  const trajectory = useCall(
    "getTrajectory",
    { path: { trajectory_id: main ?? "" } },
    { isOff: main === undefined },
  );
  return useMemo(() => {
    const views = (trajectory.data?.trajectory_data ?? []).flatMap((each) => elementView(each) ?? []);
    if (views.length === 0) return nothing;
    return { inputs: inputsIn(views), secrets: secretsIn(views) };
  }, [trajectory.data]);
}
