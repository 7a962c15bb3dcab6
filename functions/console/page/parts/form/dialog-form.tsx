import type { ComponentChildren } from "preact";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { Failure } from "../failure.tsx";
import { Form } from "./form.tsx";

interface DialogFormProps {
  readonly title: string;
  /** The button's text, such as "Create". */
  readonly verb: string;
  /** The button is off. */
  readonly isOff: boolean;
  /** Why the service refused. */
  readonly error?: unknown;
  readonly onSubmit: () => unknown;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly noValidate?: boolean;
  readonly children: ComponentChildren;
}

/** A form of its own, which ends with its verb or with Cancel. */
export function DialogForm(props: DialogFormProps) {
  const {
    title,
    verb,
    isOff,
    error,
    onSubmit,
    onClose,
    isWide = false,
    noValidate = false,
    children,
  } = props;
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <Form noValidate={noValidate} onSubmit={onSubmit}>
        {error === undefined ? null : <Failure error={error} />}
        {children}
        <div class="actions">
          <Button text="Cancel" onClick={onClose} />
          <button type="submit" class="primary" disabled={isOff}>
            {verb}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
