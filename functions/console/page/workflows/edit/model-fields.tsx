import { useState } from "preact/hooks";
import { coveredProviders } from "../../../../../shared/vocabulary/providers.ts";
import { useCall } from "../../data/use-call.ts";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import type { Changes, EditedWorkflow } from "./workflow-draft.ts";

const noChoice = ["", "–"] as const;
const providers = Object.values(coveredProviders).flat();

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
      <ChoiceField
        label="Decided by"
        hint="Asked where there is no recording, or where the screen differs from it."
        value={kind}
        choices={[
          ["none", "no model"],
          ["configuration", "a configuration"],
          ["own", "a provider’s model"],
        ]}
        onChoose={(next) => choose(next as Kind)}
      />
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
          <ChoiceField
            label="Provider"
            value={model_metadata?.provider ?? ""}
            choices={[noChoice, ...providers.map((each) => [each, each] as const)]}
            onChoose={(provider) =>
              onChange({ model_metadata: { model: model_metadata?.model ?? "", provider } })
            }
          />
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
    <ChoiceField
      label={label}
      value={value}
      choices={[noChoice, ...all.map(({ id, name, model }) => [id, `${name} (${model})`] as const)]}
      onChoose={onValue}
    />
  );
}
