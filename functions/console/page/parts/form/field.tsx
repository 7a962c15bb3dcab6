import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface ControlProps {
  readonly id: string;
  readonly "aria-describedby"?: string;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  /** Gets the attributes that join the input to its label and hint. */
  readonly children: (control: ControlProps) => ComponentChildren;
}

export function Field({ label, hint, isRequired = false, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired ? <small> (required)</small> : null}
      </label>
      {children(hint === undefined ? { id } : { id, "aria-describedby": hintId })}
      {hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
