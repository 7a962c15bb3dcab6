import type { HoldRunBody } from "../../../../shared/contract/run/run-bodies.ts";
import { holdSeconds } from "../../../../shared/vocabulary/holds.ts";
import { useAction } from "../data/use-action.ts";
import { FormDialog } from "../parts/form/form-dialog.tsx";
import type { FormSchema } from "../parts/form/schema-fields.ts";

const form: FormSchema = {
  properties: {
    reason: { type: "string", title: "Reason", description: "For others who look at the run." },
    seconds: {
      type: "integer",
      title: "For how many seconds",
      description: `${holdSeconds.min} to ${holdSeconds.max}. What happens then is the workflow's to say.`,
      default: holdSeconds.default,
    },
  },
};

interface HoldDialogProps {
  readonly runId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function HoldDialog({ runId, onClose, onDone }: HoldDialogProps) {
  const { act, isBusy, error } = useAction();
  return (
    <FormDialog
      title="Hold the run"
      schema={form}
      verb="Hold"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={async (body) => {
        const options = { done: "The run stands still: the desktop is yours.", isQuiet: true };
        const held = await act("holdRun", { path: { run_id: runId }, body: body as HoldRunBody }, options);
        if (held !== undefined) onDone();
      }}
    >
      <p>The run stops after the step under way. You have mouse and keyboard until you resume it.</p>
    </FormDialog>
  );
}
