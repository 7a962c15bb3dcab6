import { useState } from "preact/hooks";
import type { Tagged } from "../data/call-any.ts";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { Button } from "../parts/button.tsx";
import { EditFailure } from "../parts/changes/edit-failure.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/form/field.tsx";
import { Form } from "../parts/form/form.tsx";
import { machineFields } from "./machine-fields.ts";
import type { ShownMachine } from "./machine-words.ts";
import { parametersOf, secretsOf } from "./parameter-texts.ts";

interface MachineParametersProps {
  readonly machine: Tagged<ShownMachine>;
  readonly reload: () => Promise<void>;
}

export function MachineParameters({ machine, reload }: MachineParametersProps) {
  const can = useCan();
  const [edited, setEdited] = useState<"plain" | "secret" | undefined>();
  const plain = Object.entries(machine.body.machine_parameters);
  const secrets = Object.keys(machine.body.machine_sensitive_parameters);
  const close = () => setEdited(undefined);
  return (
    <section class="panel" aria-labelledby="machine-parameters">
      <h2 id="machine-parameters">Parameters</h2>
      {plain.length === 0 && secrets.length === 0 ? (
        <p class="hint">Inputs that every run on this machine gets: there is none.</p>
      ) : (
        <dl class="facts">
          {plain.map(([name, value]) => (
            <Fact key={name} name={name} value={typeof value === "string" ? value : JSON.stringify(value)} />
          ))}
          {secrets.map((name) => (
            <Fact key={`secret ${name}`} name={name} value="•••••• (secret)" />
          ))}
        </dl>
      )}
      {can("write") ? (
        <div class="actions">
          <Button text="Change" class="small" onClick={() => setEdited("plain")} />
          <Button text="Set secrets" class="small" onClick={() => setEdited("secret")} />
        </div>
      ) : null}
      {edited === undefined ? null : (
        <ParametersDialog machine={machine} reload={reload} isSecret={edited === "secret"} onClose={close} />
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

interface ParametersDialogProps extends MachineParametersProps {
  readonly isSecret: boolean;
  readonly onClose: () => void;
}

function ParametersDialog({ machine, reload, isSecret, onClose }: ParametersDialogProps) {
  const { act, isBusy, error } = useAction();
  const [base, setBase] = useState(machine);
  const [text, setText] = useState(() => textOf(machine.body, isSecret));
  const [problem, setProblem] = useState<string | undefined>();
  const save = async (ifMatch: string) => {
    const { problem: found, body } = isSecret ? secretsOf(text) : parametersOf(text);
    setProblem(found);
    if (body === undefined) return;
    const done = await act(
      "updateMachine",
      { path: { machine_id: machine.body.id }, body, ifMatch },
      { done: "The parameters are changed.", isQuiet: true },
    );
    if (done === undefined) return;
    await reload();
    onClose();
  };
  return (
    <Dialog title={isSecret ? "Set the secret parameters" : "Change the parameters"} onClose={onClose}>
      <Form onSubmit={() => save(base.etag)}>
        <Field
          label={isSecret ? "Secrets" : "Parameters"}
          hint={
            problem ??
            (isSecret
              ? "One a line, as name=value. They replace all secrets of the machine, and nobody can read them again."
              : "A JSON object. It replaces all parameters of the machine.")
          }
        >
          {(control) => (
            <textarea
              {...control}
              rows={8}
              class="code"
              spellcheck={false}
              aria-invalid={problem !== undefined}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <EditFailure
          error={error}
          base={base}
          now={machine}
          fields={machineFields}
          reload={reload}
          onTheirs={() => {
            setBase(machine);
            setText(textOf(machine.body, isSecret));
          }}
          onMine={() => void save(machine.etag)}
        />
        <div class="actions">
          <button type="submit" class={isSecret ? "danger" : "primary"} disabled={isBusy}>
            {isSecret ? "Replace" : "Save"}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** What the form begins with: nobody can read the values of secrets. */
function textOf(machine: ShownMachine, isSecret: boolean): string {
  const { machine_parameters, machine_sensitive_parameters } = machine;
  if (!isSecret) return JSON.stringify(machine_parameters, null, 2);
  return Object.keys(machine_sensitive_parameters)
    .map((alias) => `${alias}=`)
    .join("\n");
}
