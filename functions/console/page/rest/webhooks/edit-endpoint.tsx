import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../../../../../shared/contract/webhook/webhook.ts";
import { useAction } from "../../data/use-action.ts";
import { Command } from "../../parts/command.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import type { FormSchema } from "../../parts/schema-fields.ts";
import { EventTypes } from "./event-types.tsx";

const form: FormSchema = {
  required: ["url"],
  properties: {
    url: {
      type: "string",
      title: "Address",
      description: "https, and reachable from the service.",
      format: "uri",
    },
    description: { type: "string", title: "Description", maxLength: 200 },
  },
};

interface EditEndpointProps {
  /** Undefined for a new one. */
  readonly endpoint?: WebhookEndpoint;
  readonly onClose: () => void;
  /** @param secret of a new endpoint, which is shown this once. */
  readonly onDone: (secret?: string) => void;
}

export function EditEndpoint({ endpoint, onClose, onDone }: EditEndpointProps) {
  const { act, isBusy, error } = useAction();
  const [eventTypes, setEventTypes] = useState(endpoint?.event_types ?? []);
  const save = async (values: { readonly url?: string; readonly description?: string }) => {
    if (endpoint === undefined) {
      const body = { url: "", ...values, event_types: [...eventTypes] };
      const created = await act("createWebhookEndpoint", { body }, { isQuiet: true });
      if (created !== undefined) onDone(created.body.secret);
      return;
    }
    const input = { path: { endpoint_id: endpoint.id }, body: { ...values, event_types: [...eventTypes] } };
    const saved = await act("updateWebhookEndpoint", input, {
      done: "The endpoint is saved.",
      isQuiet: true,
    });
    if (saved !== undefined) onDone();
  };
  return (
    <FormDialog
      title={endpoint === undefined ? "New webhook endpoint" : "Edit the endpoint"}
      schema={form}
      {...(endpoint !== undefined && { before: { url: endpoint.url, description: endpoint.description } })}
      verb="Save"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={save}
    >
      <EventTypes chosen={eventTypes} onChoose={(chosen) => setEventTypes([...chosen])} />
    </FormDialog>
  );
}

interface ShowSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function ShowSecret({ secret, onClose }: ShowSecretProps) {
  return (
    <Dialog title="The signing secret" onClose={onClose}>
      <p>It is shown this once. Your endpoint checks with it that an event comes from here.</p>
      <Command text={secret} label="Signing secret" />
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
