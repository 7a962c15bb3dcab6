import type { SchemaField } from "../../parts/form/schema-fields.ts";
import { SchemaInputs } from "../../parts/form/schema-form.tsx";
import type { GivenTexts } from "./run-inputs.ts";
import { SecretFields } from "./secret-fields.tsx";

interface RunInputFieldsProps {
  readonly fields: readonly SchemaField[];
  readonly secrets: readonly string[];
  readonly given: GivenTexts;
  readonly problems: Readonly<Record<string, string>>;
  readonly onGiven: (change: (before: GivenTexts) => GivenTexts) => void;
}

/** The inputs and secrets that a run, or a recording's verification, is given. */
export function RunInputFields({ fields, secrets, given, problems, onGiven }: RunInputFieldsProps) {
  const give = (kind: keyof GivenTexts) => (name: string, text: string) =>
    onGiven((before) => ({ ...before, [kind]: { ...before[kind], [name]: text } }));
  return (
    <>
      <SchemaInputs fields={fields} texts={given.inputs} problems={problems} onText={give("inputs")} />
      <SecretFields secrets={secrets} texts={given.secrets} onText={give("secrets")} />
    </>
  );
}
