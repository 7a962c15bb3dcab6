import { Button } from "../../parts/button.tsx";
import { Difference } from "../../parts/changes/difference.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import type { EditedField, Meanwhile } from "./workflow-draft.ts";

interface ConflictDialogProps {
  readonly meanwhile: readonly Meanwhile[];
  /** Fields of which the own change is given up. */
  readonly onKeep: (theirs: readonly EditedField[]) => void;
  readonly onClose: () => void;
}

/** Somebody else saved first: nothing was written, and each field shows what they did. */
export function ConflictDialog({ meanwhile, onKeep, onClose }: ConflictDialogProps) {
  const both = meanwhile.filter(({ mine }) => mine !== undefined).map(({ field }) => field);
  return (
    <Dialog title="Somebody else has changed this workflow" isWide onClose={onClose}>
      <p>Nothing of yours was saved yet. What they changed:</p>
      {meanwhile.map(({ field, before, theirs, mine }) => (
        <section key={field} class="panel">
          <h3>{field}</h3>
          <Difference before={textOf(before)} after={textOf(theirs)} />
          {mine === undefined ? (
            <p class="hint">You have not changed it: theirs stays.</p>
          ) : (
            <>
              <p class="hint">Yours, against theirs:</p>
              <Difference before={textOf(theirs)} after={textOf(mine)} />
            </>
          )}
        </section>
      ))}
      <div class="actions">
        <Button text="Look first" onClick={onClose} />
        {both.length === 0 ? null : (
          <Button text="Take theirs where both changed" onClick={() => onKeep(both)} />
        )}
        <Button text="Keep mine and save" class="primary" onClick={() => onKeep([])} />
      </div>
    </Dialog>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
