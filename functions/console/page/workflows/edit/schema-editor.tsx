import { useId, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/form/check.tsx";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { Field } from "../../parts/form/field.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { newRow, rowsOf, rowTypes, type SchemaRow, schemaOf } from "./schema-rows.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

interface SchemaEditorProps {
  readonly title: string;
  readonly hint: string;
  readonly schema: JsonSchema | null;
  readonly isReadOnly: boolean;
  readonly onSchema: (schema: JsonSchema | null) => void;
}

/** A JSON Schema as a list of fields, or as JSON where it is more than that. */
export function SchemaEditor({ title, hint, schema, isReadOnly, onSchema }: SchemaEditorProps) {
  const [asJson, setAsJson] = useState(false);
  // Lines without a name are in no schema yet.
  const [unnamed, setUnnamed] = useState<readonly SchemaRow[]>([]);
  const rows = rowsOf(schema);
  const isForm = rows !== undefined && !asJson;
  const change = (next: readonly SchemaRow[]) => {
    setUnnamed(next.filter(({ name }) => name.trim() === ""));
    onSchema(schemaOf(next, schema));
  };
  const shown = [...(rows ?? []), ...unnamed];
  return (
    <fieldset class="panel schema" disabled={isReadOnly}>
      <legend>{title}</legend>
      <p class="hint">{hint}</p>
      {isForm ? (
        <>
          {shown.map((row, at) => (
            <Row
              key={at}
              row={row}
              place={at + 1}
              onRow={(next) => change(shown.with(at, next))}
              onRemove={() => change(shown.toSpliced(at, 1))}
            />
          ))}
          <div class="actions">
            <Button text="Add a field" class="small" onClick={() => setUnnamed([...unnamed, newRow])} />
            <Button text="Show as JSON" class="small plain" onClick={() => setAsJson(true)} />
          </div>
        </>
      ) : (
        <>
          <SchemaJson title={title} schema={schema} onSchema={onSchema} />
          {rows === undefined ? (
            <p class="hint">This schema is more than a list of fields, so it is edited as JSON.</p>
          ) : (
            <Button text="Show as fields" class="small plain" onClick={() => setAsJson(false)} />
          )}
        </>
      )}
    </fieldset>
  );
}

interface RowProps {
  readonly row: SchemaRow;
  readonly place: number;
  readonly onRow: (row: SchemaRow) => void;
  readonly onRemove: () => void;
}

const typeWords = {
  text: "text",
  number: "number",
  integer: "whole number",
  boolean: "yes or no",
  choice: "one of …",
} as const;

function Row({ row, place, onRow, onRemove }: RowProps) {
  const { name, type, description, isRequired, choices } = row;
  return (
    <fieldset class="schema-row">
      <legend class="announced">Field {name || place}</legend>
      <TextField label="Name" value={name} maxLength={255} onText={(text) => onRow({ ...row, name: text })} />
      <ChoiceField
        label="Kind"
        value={type}
        choices={[
          ...rowTypes.map((each) => [each, typeWords[each]] as const),
          ...(type === "other" ? [["other", "as in the JSON"] as const] : []),
        ]}
        onChoose={(chosen) => onRow({ ...row, type: chosen as SchemaRow["type"], rest: {} })}
      />
      {type === "choice" ? (
        <Field label="Choices, with commas">
          {(control) => (
            <input
              {...control}
              value={choices}
              onChange={(event) => onRow({ ...row, choices: event.currentTarget.value })}
            />
          )}
        </Field>
      ) : null}
      <TextField
        label="Meaning"
        value={description}
        onText={(text) => onRow({ ...row, description: text })}
      />
      <Check isChecked={isRequired} onCheck={(isNow) => onRow({ ...row, isRequired: isNow })}>
        required
      </Check>
      <Button
        text="✕"
        class="small plain"
        aria-label={`Remove the field ${name || place}`}
        onClick={onRemove}
      />
    </fieldset>
  );
}

interface SchemaJsonProps {
  readonly title: string;
  readonly schema: JsonSchema | null;
  readonly onSchema: (schema: JsonSchema | null) => void;
}

function SchemaJson({ title, schema, onSchema }: SchemaJsonProps) {
  const id = useId();
  const [text, setText] = useState(() => (schema === null ? "" : JSON.stringify(schema, null, 2)));
  const [problem, setProblem] = useState<string>();
  const read = (next: string) => {
    setText(next);
    try {
      const value: unknown = next.trim() === "" ? null : JSON.parse(next);
      if (typeof value !== "object" || Array.isArray(value)) throw new Error("a schema is an object");
      setProblem(undefined);
      onSchema(value as JsonSchema | null);
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <div class="field">
      <label for={id} class="announced">
        {title}, as JSON
      </label>
      <textarea
        id={id}
        class="json"
        rows={10}
        spellcheck={false}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => read(event.currentTarget.value)}
      />
      <p class="hint" id={`${id}-problem`} role="status">
        {problem === undefined ? "" : `Not read yet: ${problem}`}
      </p>
    </div>
  );
}
