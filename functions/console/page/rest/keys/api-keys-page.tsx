import { useState } from "preact/hooks";
import type { ApiKey, CreateApiKeyBody } from "../../../../../shared/contract/api-key.ts";
import { type OwnScope, ownScopes } from "../../../../../shared/vocabulary/access.ts";
import { useService } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { CheckList } from "../../parts/check-list.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Field } from "../../parts/field.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Pager, pageSize, useSkip } from "../../parts/pager.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { Table } from "../../parts/table.tsx";
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
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New key
        </button>
      </PageHeader>
      <Show of={keys}>
        {({ items, total }) => (
          <>
            <Table
              caption="API keys"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { title: "Name", cell: ({ name }) => name },
                { title: "Ends in", cell: ({ last4 }) => (last4 === null ? "–" : <code>…{last4}</code>) },
                { title: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
                { title: "Last used", cell: (key) => <RelativeTime at={key.last_used_at} /> },
                { title: "Created", isMinor: true, cell: (key) => <RelativeTime at={key.created_at} /> },
                { title: "Expires", isMinor: true, cell: (key) => <RelativeTime at={key.expires_at} /> },
                {
                  title: "Change",
                  cell: (key) => <RowActions isBusy={isBusy} onDelete={() => void remove(key)} />,
                },
              ]}
            />
            <Pager skip={skip} shown={items.length} total={total} />
          </>
        )}
      </Show>
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
    <Dialog title="New API key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {error === undefined ? null : <Failure error={error} />}
        <Field label="Name" isRequired>
          {(control) => (
            <input
              {...control}
              required
              maxLength={255}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <CheckList legend="Scopes" items={ownScopes} chosen={scopes} onChoose={setScopes}>
          {(scope) => (
            <span>
              <code>{scope}</code> {words[scope]}
            </span>
          )}
        </CheckList>
        <Field label="Expires on" hint="Without a date it does not expire.">
          {(control) => (
            <input
              {...control}
              type="date"
              value={day}
              onInput={(event) => setDay(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy || scopes.length === 0}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
