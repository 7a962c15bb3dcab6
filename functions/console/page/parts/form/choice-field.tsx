import { Field } from "./field.tsx";

interface ChoiceFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

export function ChoiceField({ label, hint, isRequired = false, value, choices, onChoose }: ChoiceFieldProps) {
  return (
    <Field label={label} hint={hint} isRequired={isRequired}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
