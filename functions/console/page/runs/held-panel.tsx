import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Run } from "../../../../shared/contract/run/run.ts";
import { useService } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/form/field.tsx";
import { Form } from "../parts/form/form.tsx";
import { holderWords, isHolder, mayTakeOver } from "../parts/holder.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { LiveScreen } from "../screen/live-screen.tsx";

interface HeldPanelProps {
  readonly runId: string;
  readonly held: NonNullable<Run["held"]>;
  readonly machineId: string;
  readonly machineName: string;
  readonly canAct: boolean;
  readonly onChange: () => void;
}

/** The desktop of a run that stands still: its holder drives, others look, and a model's question is anybody's to answer. */
export function HeldPanel({ runId, held, machineId, machineName, canAct, onChange }: HeldPanelProps) {
  const { caller } = useService();
  const { act, isBusy } = useAction();
  const isMine = canAct && isHolder(held, caller);
  const isFree = held.by.kind === "model";
  const take = async () => {
    await act("holdRun", { path: { run_id: runId }, body: {} }, { done: "The desktop is yours." });
    onChange();
  };
  return (
    <section class="panel held" aria-labelledby="held">
      <h2 id="held">
        {isMine ? "You have mouse and keyboard" : isFree ? "The model asks for a person" : "Held"}
      </h2>
      <p>
        {held.reason === null ? "" : `“${held.reason}” `}
        {isMine || isFree ? "" : `Held by ${holderWords(held, caller)}. `}
        Until <RelativeTime at={held.until} />.
      </p>
      {canAct && !isMine ? (
        <div class="actions">
          {isFree || mayTakeOver(caller) ? (
            <Button text="Take mouse and keyboard" class="primary" disabled={isBusy} onClick={take} />
          ) : null}
        </div>
      ) : null}
      <LiveScreen machineId={machineId} name={machineName} canAct={isMine} />
      {isMine || (isFree && canAct) ? (
        <Resume runId={runId} label={isFree ? "Your answer" : "A note for the model"} onDone={onChange}>
          {isFree ? null : <Button text="Ten minutes more" disabled={isBusy} onClick={take} />}
        </Resume>
      ) : null}
    </section>
  );
}

interface ResumeProps {
  readonly runId: string;
  readonly label: string;
  readonly onDone: () => void;
  readonly children: ComponentChildren;
}

function Resume({ runId, label, onDone, children }: ResumeProps) {
  const { act, isBusy } = useAction();
  const [note, setNote] = useState("");
  const resume = async () => {
    const body = note.trim() === "" ? {} : { note: note.trim() };
    await act("resumeRun", { path: { run_id: runId }, body }, { done: "The run goes on." });
    onDone();
  };
  return (
    <Form class="resume" onSubmit={resume}>
      <Field label={label} hint="What you did, or the answer to its question. A replay needs none.">
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          Resume the run
        </button>
        {children}
      </div>
    </Form>
  );
}
