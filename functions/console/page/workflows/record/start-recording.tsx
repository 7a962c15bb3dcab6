import { useState } from "preact/hooks";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Show } from "../../parts/show.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate, usePlace } from "../../shell/router.ts";
import { ProgressSteps } from "../progress-steps.tsx";
import { MachineChoice } from "./machine-choice.tsx";
import { OpenRecordings } from "./open-recordings.tsx";

const nameLength = 60;

/** A workflow's name is the beginning of its sentence, unless it is given. */
function nameOf(sentence: string): string {
  const words = sentence
    .replaceAll(/[{}]/g, "")
    .trim()
    .replace(/[.!]+$/, "");
  return words.length > nameLength ? `${words.slice(0, nameLength - 1)}…` : words;
}

/** Chooses the workflow, or makes one in a sentence, and the desktop to show it on. */
export function StartRecording() {
  const { query } = usePlace();
  const can = useCan();
  const workflowId = query.workflow_id;
  const workflow = useCall(
    "getWorkflow",
    { path: { workflow_id: workflowId ?? "" } },
    { isOff: workflowId === undefined },
  );
  const machines = useCall(
    "listMachines",
    { query: { status: "connected", limit: 100 } },
    { topics: ["machines"] },
  );
  const { act, isBusy, error } = useAction();
  const [sentence, setSentence] = useState("");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState(query.machine_id);
  const free = machines.data?.items.filter(({ held }) => held === null) ?? [];
  const machineId = free.find(({ id }) => id === chosen)?.id ?? free[0]?.id;
  const begin = async () => {
    if (machineId === undefined) return;
    const made =
      workflowId === undefined
        ? await act(
            "createWorkflow",
            { body: { name: name.trim() || nameOf(sentence), main_prompt: sentence } },
            { isQuiet: true },
          )
        : undefined;
    const workflow_id = workflowId ?? made?.body.id;
    if (workflow_id === undefined) return;
    const begun = await act(
      "createRecording",
      { body: { machine_id: machineId, workflow_id } },
      { isQuiet: true },
    );
    if (begun !== undefined) navigate(hrefOf("recordings", begun.body.id));
    // A second attempt goes on with the workflow that is there.
    else if (made !== undefined)
      navigate(hrefOf("recordings", undefined, { workflow_id }), { replace: true });
  };
  if (!can("write")) {
    return (
      <>
        <PageHeader title="Record a demonstration" />
        <Empty text="Recording needs the scope write." />
      </>
    );
  }
  const isKnown = workflowId !== undefined;
  const back = isKnown
    ? { href: hrefOf("workflows", workflowId), text: workflow.data?.name || "Workflow" }
    : { href: hrefOf("workflows"), text: "Workflows" };
  return (
    <>
      <PageHeader title="Record a demonstration" back={back} />
      <ProgressSteps at={isKnown ? "record" : "describe"} />
      <p>
        Do the work once, on a desktop that you see here. Each click and each text is recorded with its
        picture, and runs repeat it with other inputs.
      </p>
      <OpenRecordings />
      {error === undefined ? null : <Failure error={error} />}
      <Form class="panel start-run" onSubmit={begin}>
        {isKnown ? null : (
          <>
            <Field
              label="What is to be done?"
              hint="One sentence. What differs from run to run may stand in braces, such as {item}; you can also name it while you show it."
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={2}
                  required
                  value={sentence}
                  placeholder="Enter an order of {quantity} {item}."
                  onInput={(event) => setSentence(event.currentTarget.value)}
                />
              )}
            </Field>
            <TextField
              label="Name"
              hint="Optional."
              maxLength={255}
              value={name}
              placeholder={nameOf(sentence) || "Enter an order"}
              onText={setName}
            />
          </>
        )}
        <Show of={machines}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty text="No desktop is connected.">
                <a class="button" href={hrefOf("machines")}>
                  Connect one
                </a>
              </Empty>
            ) : (
              <MachineChoice machines={items} chosen={machineId} onChoose={setChosen} />
            )
          }
        </Show>
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy || machineId === undefined}>
            {isBusy ? "Beginning …" : "Begin to record"}
          </button>
        </div>
        <p class="hint">The desktop is yours until you finish: no run gets it, and nobody else acts on it.</p>
      </Form>
    </>
  );
}
