import { useState } from "preact/hooks";
import { coveredProviders } from "../../../../../shared/vocabulary/providers.ts";
import { useCall } from "../../data/use-call.ts";
import { Field } from "../../parts/field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import type { Changes, EditedWorkflow } from "./workflow-draft.ts";

type Kind = "none" | "configuration" | "own";

interface ModelFieldsProps {
  readonly draft: EditedWorkflow;
  readonly onChange: (change: Changes) => void;
}

/** A workflow names a configuration, or a provider's model by itself, never both. */
export function ModelFields({ draft, onChange }: ModelFieldsProps) {
  const { model_metadata, model_configuration_id, fallback_model_configuration_ids } = draft;
  const named: Kind = model_configuration_id ? "configuration" : model_metadata ? "own" : "none";
  // What is chosen first has no value yet.
  const [chosen, setChosen] = useState<Kind>();
  const kind = named === "none" ? (chosen ?? named) : named;
  const configurations = useCall("listModelConfigurations");
  const all = configurations.data ?? [];
  const choose = (next: Kind) => {
    setChosen(next);
    onChange({ model_metadata: null, model_configuration_id: null, fallback_model_configuration_ids: [] });
  };
  return (
    <>
      <Field
        label="Decided by"
        hint="Asked where there is no recording, or where the screen differs from it."
      >
        {(control) => (
          <select {...control} value={kind} onChange={(event) => choose(event.currentTarget.value as Kind)}>
            <option value="none">no model</option>
            <option value="configuration">a configuration</option>
            <option value="own">a provider’s model</option>
          </select>
        )}
      </Field>
      {kind === "configuration" ? (
        <>
          <ConfigurationField
            label="Configuration"
            all={all}
            value={model_configuration_id ?? ""}
            onValue={(id) => onChange({ model_configuration_id: id || null })}
          />
          {[0, 1].slice(0, fallback_model_configuration_ids.length + 1).map((at) => (
            <ConfigurationField
              key={at}
              label={at === 0 ? "If it is away" : "If that is away, too"}
              all={all.filter(({ id }) => id !== model_configuration_id)}
              value={fallback_model_configuration_ids[at] ?? ""}
              onValue={(id) => {
                const others = fallback_model_configuration_ids.slice(0, at);
                onChange({ fallback_model_configuration_ids: id ? [...others, id] : others });
              }}
            />
          ))}
        </>
      ) : null}
      {kind === "own" ? (
        <>
          <Field label="Provider">
            {(control) => (
              <select
                {...control}
                value={model_metadata?.provider ?? ""}
                onChange={(event) =>
                  onChange({
                    model_metadata: {
                      model: model_metadata?.model ?? "",
                      provider: event.currentTarget.value,
                    },
                  })
                }
              >
                <option value="">–</option>
                {Object.values(coveredProviders)
                  .flat()
                  .map((provider) => (
                    <option key={provider} value={provider}>
                      {provider}
                    </option>
                  ))}
              </select>
            )}
          </Field>
          <TextField
            label="Model"
            hint="As its provider names it, such as claude-sonnet-4-5."
            value={model_metadata?.model ?? ""}
            onText={(text) =>
              onChange({
                model_metadata: {
                  provider: model_metadata?.provider ?? "anthropic",
                  model: text,
                },
              })
            }
          />
        </>
      ) : null}
    </>
  );
}

interface ConfigurationFieldProps {
  readonly label: string;
  readonly all: readonly { readonly id: string; readonly name: string; readonly model: string }[];
  readonly value: string;
  readonly onValue: (id: string) => void;
}

function ConfigurationField({ label, all, value, onValue }: ConfigurationFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
          <option value="">–</option>
          {all.map(({ id, name, model }) => (
            <option key={id} value={id}>
              {name} ({model})
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
