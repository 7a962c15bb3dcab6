import { useState } from "preact/hooks";
import type { CreateScheduleBody } from "../../../../../shared/contract/schedule.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import { anyMachine, TargetFields, targetBody } from "../../workflows/start/target-fields.tsx";
import { scheduleForm } from "./schedule-form.ts";

/** As many as a person chooses from; the API takes any. */
const offeredMax = 100;

const form = scheduleForm(Intl.DateTimeFormat().resolvedOptions().timeZone);

export function CreateSchedule({ onClose }: { readonly onClose: () => void }) {
  const { act, isBusy, error } = useAction();
  const [workflow_id, setWorkflow] = useState("");
  const [target, setTarget] = useState(anyMachine);
  const workflows = useCall("listWorkflows", { query: { limit: offeredMax } });
  return (
    <FormDialog
      title="New schedule"
      schema={form}
      verb="Create"
      isBusy={isBusy || workflow_id === ""}
      error={error}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { ...values, ...targetBody(target), workflow_id } as CreateScheduleBody;
        const created = await act(
          "createSchedule",
          { body },
          { done: "The schedule is there.", isQuiet: true },
        );
        if (created !== undefined) navigate(hrefOf("schedules", created.body.id));
      }}
    >
      <ChoiceField
        label="Workflow"
        isRequired
        value={workflow_id}
        choices={[
          ["", "Choose …"],
          ...(workflows.data?.items ?? []).map(({ id, name }) => [id, name || id] as const),
        ]}
        onChoose={setWorkflow}
      />
      <TargetFields target={target} onTarget={setTarget} />
    </FormDialog>
  );
}
