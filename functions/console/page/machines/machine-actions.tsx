import { useState } from "preact/hooks";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { Button } from "../parts/button.tsx";
import { confirm } from "../parts/confirm.tsx";
import { DialogForm } from "../parts/form/dialog-form.tsx";
import { TextField } from "../parts/form/text-field.tsx";
import { nameOf } from "../parts/machine-name.ts";
import { hrefOf } from "../shell/place.ts";
import { navigate } from "../shell/router.ts";
import type { ShownMachine } from "./machine-words.ts";

interface MachineActionsProps {
  readonly machine: ShownMachine;
  readonly reload: () => Promise<void>;
}

export function MachineActions({ machine, reload }: MachineActionsProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const [isRenamed, setRenamed] = useState(false);
  if (!can("write")) return null;
  const path = { machine_id: machine.id };
  const name = nameOf(machine);
  const shutDown = async () => {
    const text =
      "Its process ends, and somebody at the desktop has to start it again. A run that is under way there fails.";
    if (!(await confirm({ title: `Shut down the driver of ${name}?`, text, verb: "Shut down" }))) return;
    await act(
      "shutDownDriver",
      { path, body: { source: "console", reason: "user_request" } },
      { done: "The driver shuts down." },
    );
    await reload();
  };
  const resetSecret = async () => {
    const text =
      "The next driver with the machine's key and fingerprint becomes the machine, without the secret that it has now. Do this for a desktop that was reinstalled.";
    if (!(await confirm({ title: `Reset the secret of ${name}?`, text, verb: "Reset" }))) return;
    await act("resetMachineSecret", { path }, { done: "The next driver gets a new secret." });
  };
  const remove = async () => {
    const text = "Its run, and the runs that wait for it, end as error. Its secrets are destroyed.";
    if (!(await confirm({ title: `Delete ${name}?`, text, verb: "Delete" }))) return;
    const done = await act("deleteMachine", { path }, { done: "The machine is deleted." });
    if (done !== undefined) navigate(hrefOf("machines"));
  };
  return (
    <>
      {machine.physical_server_id === null || machine.held !== null ? null : (
        <a class="button primary" href={hrefOf("recordings", undefined, { machine_id: machine.id })}>
          Record a demonstration
        </a>
      )}
      <Button text="Rename" onClick={() => setRenamed(true)} />
      {machine.physical_server_id === null ? null : (
        <Button text="Shut down" disabled={isBusy} onClick={shutDown} />
      )}
      <Button text="Reset secret" disabled={isBusy} onClick={resetSecret} />
      <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} />
      {isRenamed ? <Rename machine={machine} reload={reload} onClose={() => setRenamed(false)} /> : null}
    </>
  );
}

function Rename({ machine, reload, onClose }: MachineActionsProps & { readonly onClose: () => void }) {
  const { act, isBusy, error } = useAction();
  const [name, setName] = useState(machine.name);
  const save = async () => {
    const done = await act(
      "updateMachine",
      { path: { machine_id: machine.id }, body: { name } },
      { done: "The machine has a new name.", isQuiet: true },
    );
    if (done === undefined) return;
    await reload();
    onClose();
  };
  return (
    <DialogForm
      title="Rename the machine"
      verb="Save"
      isOff={isBusy}
      error={error}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label="Name" isRequired maxLength={255} value={name} autoComplete="off" onText={setName} />
    </DialogForm>
  );
}
