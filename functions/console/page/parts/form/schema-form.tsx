import { Field } from "./field.tsx";
import type { SchemaField } from "./schema-fields.ts";

interface SchemaFormProps {
  readonly fields: readonly SchemaField[];
  /** By the field's name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly problems?: Readonly<Record<string, string>>;
  readonly onText: (name: string, text: string) => void;
}

/** The inputs of a form made from a JSON Schema (`fieldsOf`); `valuesOf` reads what they say. */
export function SchemaInputs({ fields, texts, problems = {}, onText }: SchemaFormProps) {
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          hint={problems[field.name] ?? field.hint}
          isRequired={field.isRequired}
        >
          {(control) => (
            <SchemaInput
              control={{ ...control, "aria-invalid": field.name in problems, name: field.name }}
              field={field}
              text={texts[field.name] ?? field.text}
              onText={(text) => onText(field.name, text)}
            />
          )}
        </Field>
      ))}
    </>
  );
}

interface SchemaInputProps {
  readonly control: Readonly<Record<string, string | boolean | undefined>>;
  readonly field: SchemaField;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function SchemaInput({ control, field, text, onText }: SchemaInputProps) {
  const { kind, schema, choices, isRequired } = field;
  if (kind === "choice" || kind === "boolean") {
    const options = kind === "boolean" ? ["true", "false"] : choices;
    return (
      <select {...control} value={text} onChange={(event) => onText(event.currentTarget.value)}>
        {isRequired && text !== "" ? null : <option value="">–</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "lines" || kind === "json") {
    return (
      <textarea
        {...control}
        rows={4}
        value={text}
        spellcheck={kind === "lines"}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...control}
      type="text"
      inputMode={kind === "number" ? "decimal" : kind === "integer" ? "numeric" : "text"}
      maxLength={schema.maxLength}
      value={text}
      autoComplete="off"
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}
