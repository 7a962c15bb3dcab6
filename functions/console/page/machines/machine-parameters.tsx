import { useState } from "preact/hooks";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import type { ShownMachine } from "./machine-words.ts";
import { parametersOf, secretsOf } from "./parameter-texts.ts";

interface MachineParametersProps {
  readonly machine: ShownMachine;
  readonly reload: () => Promise<void>;
}

export function MachineParameters({ machine, reload }: MachineParametersProps) {
  const can = useCan();
  const [edited, setEdited] = useState<"plain" | "secret" | undefined>();
  const plain = Object.entries(machine.machine_parameters);
  const secrets = Object.keys(machine.machine_sensitive_parameters);
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
          <button type="button" class="small" onClick={() => setEdited("plain")}>
            Change
          </button>
          <button type="button" class="small" onClick={() => setEdited("secret")}>
            Set secrets
          </button>
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
  const aliases = Object.keys(machine.machine_sensitive_parameters);
  const [text, setText] = useState(() =>
    isSecret
      ? aliases.map((alias) => `${alias}=`).join("\n")
      : JSON.stringify(machine.machine_parameters, null, 2),
  );
  const [problem, setProblem] = useState<string | undefined>();
  const save = async () => {
    const { problem: found, body } = isSecret ? secretsOf(text) : parametersOf(text);
    setProblem(found);
    if (body === undefined) return;
    const done = await act(
      "updateMachine",
      { path: { machine_id: machine.id }, body },
      { done: "The parameters are changed.", isQuiet: true },
    );
    if (done === undefined) return;
    await reload();
    onClose();
  };
  return (
    <Dialog title={isSecret ? "Set the secret parameters" : "Change the parameters"} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
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
        {error === undefined ? null : <Failure error={error} />}
        <div class="actions">
          <button type="submit" class={isSecret ? "danger" : "primary"} disabled={isBusy}>
            {isSecret ? "Replace" : "Save"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
