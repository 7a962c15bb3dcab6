import { Check } from "../../parts/form/check.tsx";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { ModelFields } from "./model-fields.tsx";
import { type SettingField, settingGroups } from "./settings-fields.ts";
import { type Changes, type EditedWorkflow, numberOf } from "./workflow-draft.ts";

interface SettingsFormProps {
  readonly draft: EditedWorkflow;
  readonly isReadOnly: boolean;
  readonly onChange: (change: Changes) => void;
}

export function SettingsForm({ draft, isReadOnly, onChange }: SettingsFormProps) {
  return (
    <div class="setting-groups">
      {settingGroups.map(({ title, fields }) => (
        <fieldset key={title} class="panel" disabled={isReadOnly}>
          <legend>{title}</legend>
          {fields.map((field) => (
            <Setting
              key={field.field}
              setting={field}
              value={draft[field.field]}
              onValue={(value) => onChange({ [field.field]: value })}
            />
          ))}
        </fieldset>
      ))}
      <fieldset class="panel" disabled={isReadOnly}>
        <legend>Model</legend>
        <ModelFields draft={draft} onChange={onChange} />
      </fieldset>
    </div>
  );
}

interface SettingProps {
  readonly setting: SettingField;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

function Setting({ setting: { label, hint, kind, choices = [] }, value, onValue }: SettingProps) {
  if (kind === "boolean") {
    return (
      <Check isChecked={value === true} onCheck={onValue}>
        {label}
      </Check>
    );
  }
  if (kind === "choice") {
    return (
      <ChoiceField label={label} hint={hint} value={String(value)} choices={choices} onChoose={onValue} />
    );
  }
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      value={value === null ? "" : String(value)}
      onText={(text) => onValue(numberOf(text))}
    />
  );
}
