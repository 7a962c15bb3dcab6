import { useRef, useState } from "preact/hooks";
import type { Tagged } from "../../data/call-any.ts";
import { type Action, useAction } from "../../data/use-action.ts";
import { FormDialog } from "../form/form-dialog.tsx";
import type { FormSchema } from "../form/schema-fields.ts";
import type { ShownFields } from "./changes-between.ts";
import { EditFailure } from "./edit-failure.tsx";

interface EditDialogProps<Body> {
  readonly title: string;
  readonly schema: FormSchema;
  /** The resource as it is now. */
  readonly now: Tagged<Body>;
  readonly fields: ShownFields<Body>;
  readonly textsOf: (body: Body) => Readonly<Record<string, string>>;
  /** Sends the fields that differ; the result is undefined when the service refused. */
  readonly save: (
    act: Action["act"],
    values: Readonly<Record<string, unknown>>,
    ifMatch: string,
  ) => Promise<unknown>;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

/** Edits a resource of the organization, over which somebody else may have saved meanwhile. */
export function EditDialog<Body>(props: EditDialogProps<Body>) {
  const { title, schema, now, fields, textsOf, reload, onClose } = props;
  const { act, isBusy, error } = useAction();
  const [base, setBase] = useState(now);
  const sent = useRef<Readonly<Record<string, unknown>>>({});
  const save = async (ifMatch: string) => {
    if ((await props.save(act, sent.current, ifMatch)) === undefined) return;
    onClose();
    await reload();
  };
  return (
    <FormDialog
      key={base.etag}
      title={title}
      schema={schema}
      before={textsOf(base.body)}
      verb="Save"
      isBusy={isBusy}
      error={undefined}
      onClose={onClose}
      onSubmit={(values) => {
        sent.current = values;
        void save(base.etag);
      }}
    >
      <EditFailure
        error={error}
        base={base}
        now={now}
        fields={fields}
        reload={reload}
        onTheirs={() => setBase(now)}
        onMine={() => void save(now.etag)}
      />
    </FormDialog>
  );
}
