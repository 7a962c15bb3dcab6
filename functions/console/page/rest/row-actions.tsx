import type { ComponentChildren } from "preact";

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
      {onEdit === undefined ? null : (
        <button type="button" class="small" onClick={onEdit}>
          Edit
        </button>
      )}
      {children}
      {onDelete === undefined ? null : (
        <button type="button" class="small danger" disabled={isBusy} onClick={onDelete}>
          Delete
        </button>
      )}
    </span>
  );
}
