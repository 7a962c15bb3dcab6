import { useState } from "preact/hooks";
import type { CreatedApiKey } from "../../../../shared/contract/api-key.ts";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { Command } from "../parts/command.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Failure } from "../parts/failure.tsx";
import { Form } from "../parts/form/form.tsx";
import { TextField } from "../parts/form/text-field.tsx";
import { isSameId } from "../parts/holder.ts";
import { nameOf } from "../parts/machine-name.ts";
import { hrefOf } from "../shell/place.ts";
import { readSettings } from "../shell/settings.ts";
import { driverCommand } from "./driver-command.ts";

export function AddMachine({ onClose }: { readonly onClose: () => void }) {
  const can = useCan();
  const [name, setName] = useState("");
  const [key, setKey] = useState<CreatedApiKey | undefined>();
  const { websocketUrl } = readSettings();
  return (
    <Dialog title="Add a machine" onClose={onClose} isWide>
      {key !== undefined ? (
        <>
          <p>
            On the desktop, in a copy of the service's repository after <code>npm ci</code>:
          </p>
          <Command text={driverCommand({ url: websocketUrl, name, key: key.api_key })} />
          <p class="hint">
            The key has the scope driver alone, and is shown only now. Without a display, start one first:{" "}
            <code>Xvfb :7 -screen 0 1280x800x24 -noreset &</code>, and add <code>--display :7</code>.
          </p>
          <Arrival keyId={key.id} />
        </>
      ) : can("admin") ? (
        <KeyForm name={name} onName={setName} onKey={setKey} />
      ) : (
        <>
          <p>
            A driver on the desktop connects with an API key of the scope driver. Your credentials make no
            keys: somebody with the scope admin can. With a key, on the desktop:
          </p>
          <Command text={driverCommand({ url: websocketUrl, name: "Front desk", key: undefined })} />
        </>
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onKey: (key: CreatedApiKey) => void;
}

function KeyForm({ name, onName, onKey }: KeyFormProps) {
  const { act, isBusy, error } = useAction();
  const make = async () => {
    const body = {
      name: name === "" ? "driver" : `driver of ${name}`.slice(0, 255),
      scopes: ["driver" as const],
    };
    const made = await act("createApiKey", { body }, { isQuiet: true });
    if (made !== undefined) onKey(made.body);
  };
  return (
    <Form onSubmit={make}>
      <TextField
        label="Name"
        hint="For people; it can be changed."
        maxLength={255}
        placeholder="Front desk"
        autoComplete="off"
        value={name}
        onText={onName}
      />
      {error === undefined ? null : <Failure error={error} />}
      <button type="submit" class="primary" disabled={isBusy}>
        Make a key, and show the command
      </button>
    </Form>
  );
}

/** Shows the machine as soon as its driver connects with the key. */
function Arrival({ keyId }: { readonly keyId: string }) {
  const { data } = useCall(
    "listMachines",
    { query: { limit: 50 } },
    { topics: ["machines"], everyMs: 3_000 },
  );
  const arrived = data?.items.filter(({ key_service_key_id }) => isSameId(key_service_key_id, keyId)) ?? [];
  return (
    <div class="arrival" role="status">
      {arrived.length === 0 ? (
        <p>
          <span class="arrival-dot" aria-hidden="true" /> Waiting for the driver …
        </p>
      ) : (
        arrived.map((machine) => (
          <p key={machine.id}>
            ✓ <a href={hrefOf("machines", machine.id)}>{nameOf(machine)}</a> is connected.
          </p>
        ))
      )}
    </div>
  );
}
