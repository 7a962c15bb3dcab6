import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { DialogForm } from "./dialog-form.tsx";
import { changedValues } from "./form-values.ts";
import { type FormSchema, fieldsOf, valuesOf } from "./schema-fields.ts";
import { SchemaInputs } from "./schema-form.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly schema: FormSchema;
  /** The texts of a resource that is edited: only fields that differ are sent. */
  readonly before?: Readonly<Record<string, string>>;
  /** The button's verb, such as "Create". */
  readonly verb: string;
  readonly isBusy: boolean;
  /** Why the service refused. */
  readonly error: unknown;
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** Creates a resource, or edits one. */
export function FormDialog(props: FormDialogProps) {
  const { title, schema, before = {}, verb, isBusy, error, onSubmit, onClose, children } = props;
  const fields = fieldsOf(schema);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ name, text }) => [name, before[name] ?? text])),
  );
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const submit = () => {
    const read = valuesOf(fields, texts);
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0) return;
    onSubmit(props.before === undefined ? read.values : changedValues(fields, before, texts, read.values));
  };
  return (
    <DialogForm
      title={title}
      verb={verb}
      isOff={isBusy}
      error={error}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      {children}
      <SchemaInputs
        fields={fields}
        texts={texts}
        problems={problems}
        onText={(name, text) => setTexts((all) => ({ ...all, [name]: text }))}
      />
    </DialogForm>
  );
}
