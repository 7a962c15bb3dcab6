import type { InputHTMLAttributes, PartialInputHTMLAttributes } from "preact";
import { Field } from "./field.tsx";

interface TextFieldProps
  extends Omit<PartialInputHTMLAttributes<HTMLInputElement>, "type" | "role" | "value" | "onInput"> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  /** @default "text" */
  readonly type?: "date" | "number" | "password" | "search";
  readonly value: string | number;
  readonly onText: (text: string) => void;
}

/** One line of text, or what another `type` of the browser's input makes of it. */
export function TextField({ label, hint, isRequired = false, onText, ...others }: TextFieldProps) {
  // Which roles are allowed depends on the type; there is none here.
  const attributes = others as InputHTMLAttributes<HTMLInputElement>;
  return (
    <Field label={label} hint={hint} isRequired={isRequired}>
      {(control) => (
        <input
          {...control}
          required={isRequired}
          {...attributes}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  );
}
