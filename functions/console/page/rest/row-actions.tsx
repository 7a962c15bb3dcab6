import type { ComponentChildren } from "preact";
import { Button } from "../parts/button.tsx";

interface RowActionsProps {
  readonly isBusy: boolean;
  readonly onEdit?: () => void;
  readonly onDelete?: () => void;
  readonly children?: ComponentChildren;
}

/** The buttons of one row of a table. */
export function RowActions({ isBusy, onEdit, onDelete, children }: RowActionsProps) {
  return (
    <span class="row-actions">
      {onEdit === undefined ? null : <Button text="Edit" class="small" onClick={onEdit} />}
      {children}
      {onDelete === undefined ? null : (
        <Button text="Delete" class="small danger" disabled={isBusy} onClick={onDelete} />
      )}
    </span>
  );
}
