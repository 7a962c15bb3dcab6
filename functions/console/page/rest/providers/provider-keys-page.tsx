import { useState } from "preact/hooks";
import type {
  ProviderCredential,
  SetProviderCredentialBody,
} from "../../../../../shared/contract/provider-credential.ts";
import { authTypesOf, type ProviderAuthType } from "../../../../../shared/vocabulary/providers.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { sayFailure } from "../../parts/toasts.tsx";
import { credentialForms } from "./credential-forms.ts";

export function ProviderKeysPage() {
  const slots = useCall("listProviderCredentials");
  const [set, setSet] = useState<ProviderCredential | undefined>();
  return (
    <>
      <PageHeader title="Provider keys" />
      <p>Your own keys at the providers of models. They are kept as secrets and never shown again.</p>
      <Show of={slots}>
        {(all) =>
          all.map((slot) => (
            <Slot
              key={slot.slot}
              slot={slot}
              onSet={() => setSet(slot)}
              onChange={() => void slots.reload()}
            />
          ))
        }
      </Show>
      {set === undefined ? null : (
        <SetKey
          slot={set}
          onClose={() => setSet(undefined)}
          onDone={() => {
            setSet(undefined);
            void slots.reload();
          }}
        />
      )}
    </>
  );
}

interface SlotProps {
  readonly slot: ProviderCredential;
  readonly onSet: () => void;
  readonly onChange: () => void;
}

function Slot({ slot, onSet, onChange }: SlotProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const path = { slot: slot.slot };
  const hasKey = slot.status === "active" || slot.status === "invalid";
  const validate = async () => {
    const done = await act("validateProviderCredential", { path });
    if (done !== undefined && !done.body.ok) {
      sayFailure(new Error(done.body.last_error ?? `${slot.display_name} refused the key`));
    }
    onChange();
  };
  const remove = async () => {
    const text = "Runs that need a model of this provider end as errors until a key is set.";
    if (!(await confirm({ title: `Remove the key of ${slot.display_name}?`, text, verb: "Remove" }))) return;
    await act("deleteProviderCredential", { path }, { done: "The key is removed." });
    onChange();
  };
  return (
    <section class="panel" aria-labelledby={`slot-${slot.slot}`}>
      <h2 id={`slot-${slot.slot}`}>
        {slot.display_name} <Status value={slot.status ?? "no key of yours"} />
      </h2>
      <SlotFacts slot={slot} />
      {can("write") ? (
        <div class="actions">
          <Button text={hasKey ? "Replace the key" : "Set a key"} onClick={onSet} />
          {hasKey ? (
            <>
              <Button text="Validate" disabled={isBusy} onClick={validate} />
              <Button text="Remove" class="danger" disabled={isBusy} onClick={remove} />
            </>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}

function SlotFacts({ slot }: { readonly slot: ProviderCredential }) {
  const { auth_type, covered_providers, display_metadata, last_error, last_validated_at, status } = slot;
  const marks = Object.entries(display_metadata)
    .filter(([, mark]) => mark !== null)
    .map(([name, mark]) => (name.endsWith("last4") ? `…${mark}` : mark));
  const hasBeenSet = status === "active" || last_validated_at !== null;
  return (
    <Facts
      of={{
        "Used for": covered_providers.join(", "),
        Key:
          auth_type &&
          `${credentialForms[auth_type].title} ${marks.length === 0 ? "" : `(${marks.join(", ")})`}`,
        Validated:
          hasBeenSet &&
          (last_validated_at === null ? "not yet tried" : <RelativeTime at={last_validated_at} />),
        "The provider says": last_error,
      }}
    />
  );
}

interface SetKeyProps {
  readonly slot: ProviderCredential;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function SetKey({ slot, onClose, onDone }: SetKeyProps) {
  const { act, isBusy, error } = useAction();
  const kinds = authTypesOf[slot.slot];
  const [kind, setKind] = useState<ProviderAuthType | undefined>(kinds[0]);
  if (kind === undefined) return null;
  const set = async (values: Readonly<Record<string, unknown>>) => {
    const body = { auth_type: kind, ...values } as SetProviderCredentialBody;
    const options = {
      done: "The key is stored. Validate it to see whether the provider takes it.",
      isQuiet: true,
    };
    const done = await act("setProviderCredential", { path: { slot: slot.slot }, body }, options);
    if (done !== undefined) onDone();
  };
  return (
    <FormDialog
      key={kind}
      title={`A key of ${slot.display_name}`}
      schema={credentialForms[kind].schema}
      verb="Store"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={set}
    >
      {kinds.length === 1 ? null : (
        <ChoiceField
          label="Kind"
          value={kind}
          choices={kinds.map((each) => [each, credentialForms[each].title])}
          onChoose={(chosen) => setKind(kinds.find((each) => each === chosen))}
        />
      )}
    </FormDialog>
  );
}
