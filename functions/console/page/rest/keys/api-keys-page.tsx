import { useState } from "preact/hooks";
import type { ApiKey, CreateApiKeyBody } from "../../../../../shared/contract/api-key.ts";
import { type OwnScope, ownScopes } from "../../../../../shared/vocabulary/access.ts";
import { useService } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { CheckList } from "../../parts/form/check-list.tsx";
import { DialogForm } from "../../parts/form/dialog-form.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { PagedTable } from "../../parts/list/paged-table.tsx";
import { pageSize, useSkip } from "../../parts/list/pager.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { RowActions } from "../row-actions.tsx";

export function ApiKeysPage() {
  const skip = useSkip();
  const { caller } = useService();
  const { act, isBusy } = useAction();
  const keys = useCall("listApiKeys", { query: { limit: pageSize, skip } });
  const [isCreating, setCreating] = useState(false);
  const remove = async ({ id, name }: ApiKey) => {
    const text =
      id === caller.api_key_id
        ? "It is the key that you are signed in with: this tab is signed out, too."
        : "Programs and desktops that use it are refused within 30 seconds; its connections are closed.";
    if (!(await confirm({ title: `Delete the key ${name}?`, text, verb: "Delete" }))) return;
    await act("deleteApiKey", { path: { api_key_id: id } }, { done: "The key is deleted." });
    await keys.reload();
  };
  return (
    <>
      <PageHeader title="API keys">
        <Button text="New key" class="primary" onClick={() => setCreating(true)} />
      </PageHeader>
      <PagedTable
        of={keys}
        caption="API keys"
        empty={<Empty text="There is no key." />}
        columns={[
          { title: "Name", cell: ({ name }) => name },
          { title: "Ends in", cell: ({ last4 }) => (last4 === null ? "–" : <code>…{last4}</code>) },
          { title: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
          { title: "Last used, to the hour", cell: (key) => <RelativeTime at={key.last_used_at} /> },
          { title: "Created", isMinor: true, cell: (key) => <RelativeTime at={key.created_at} /> },
          { title: "Expires", isMinor: true, cell: (key) => <RelativeTime at={key.expires_at} /> },
          {
            title: "Change",
            cell: (key) => <RowActions isBusy={isBusy} onDelete={() => void remove(key)} />,
          },
        ]}
      />
      {isCreating ? (
        <CreateKey onCreated={() => void keys.reload()} onClose={() => setCreating(false)} />
      ) : null}
    </>
  );
}

const words: Readonly<Record<OwnScope, string>> = {
  read: "reads everything but secrets",
  write: "changes resources, starts runs, acts on desktops",
  driver: "connects desktops, and nothing else",
  worker: "carries out runs of workflows that a worker executes",
  admin: "all of write, and API keys",
};

interface CreateKeyProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

function CreateKey({ onCreated, onClose }: CreateKeyProps) {
  const { act, isBusy, error } = useAction();
  const [name, setName] = useState("");
  const [day, setDay] = useState("");
  const [scopes, setScopes] = useState<readonly OwnScope[]>(["read"]);
  const [created, setCreated] = useState<string | undefined>();
  const create = async () => {
    const expires = day === "" ? {} : { expires_at: new Date(day).toISOString() };
    const body: CreateApiKeyBody = { name, scopes: [...scopes], ...expires };
    const done = await act("createApiKey", { body }, { isQuiet: true });
    if (done === undefined) return;
    setCreated(done.body.api_key);
    onCreated();
  };
  if (created !== undefined) {
    return (
      <ShownOnce
        title="The new key"
        text="Keep it where secrets are kept."
        label="API key"
        secret={created}
        onClose={onClose}
      />
    );
  }
  return (
    <DialogForm
      title="New API key"
      verb="Create"
      isOff={isBusy || scopes.length === 0}
      error={error}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField label="Name" isRequired maxLength={255} value={name} onText={setName} />
      <CheckList legend="Scopes" items={ownScopes} chosen={scopes} onChoose={setScopes}>
        {(scope) => (
          <span>
            <code>{scope}</code> {words[scope]}
          </span>
        )}
      </CheckList>
      <TextField
        label="Expires on"
        hint="Without a date it does not expire."
        type="date"
        value={day}
        onText={setDay}
      />
    </DialogForm>
  );
}
