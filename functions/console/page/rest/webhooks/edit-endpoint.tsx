import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../../../../../shared/contract/webhook/webhook.ts";
import { useAction } from "../../data/use-action.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import type { FormSchema } from "../../parts/form/schema-fields.ts";
import { ShownOnce } from "../../parts/shown-once.tsx";
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

export function ShowSecret(props: ShowSecretProps) {
  const text = "Your endpoint checks with it that an event comes from here.";
  return <ShownOnce title="The signing secret" text={text} label="Signing secret" {...props} />;
}
