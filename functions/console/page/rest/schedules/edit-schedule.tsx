import { useRef, useState } from "preact/hooks";
import type { Schedule, UpdateScheduleBody } from "../../../../../shared/contract/schedule.ts";
import type { Tagged } from "../../data/call-any.ts";
import { useAction } from "../../data/use-action.ts";
import type { ShownFields } from "../../parts/changes/changes-between.ts";
import { EditFailure } from "../../parts/changes/edit-failure.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { changeOf, scheduleForm, textsOf, timesOf } from "./schedule-form.ts";

const form = scheduleForm();

const fields: ShownFields<Schedule> = {
  Name: ({ name }) => name,
  Times: timesOf,
  "Time zone": ({ time_zone }) => time_zone,
  "While an earlier run has not ended": ({ overlap }) => overlap,
  "Not before": ({ starts_at }) => starts_at ?? "",
  "Not from then on": ({ ends_at }) => ends_at ?? "",
  Inputs: ({ input_values }) => JSON.stringify(input_values, null, 2),
};

interface EditScheduleProps {
  /** As it is now. */
  readonly schedule: Tagged<Schedule>;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

export function EditSchedule({ schedule, reload, onClose }: EditScheduleProps) {
  const { act, isBusy, error } = useAction();
  const [base, setBase] = useState(schedule);
  const sent = useRef<UpdateScheduleBody>({});
  const { body } = base;
  const save = async (ifMatch: string) => {
    const input = { path: { schedule_id: body.id }, body: sent.current, ifMatch };
    const saved = await act("updateSchedule", input, { done: "The schedule is saved.", isQuiet: true });
    if (saved === undefined) return;
    onClose();
    await reload();
  };
  return (
    <FormDialog
      key={base.etag}
      title="Edit the schedule"
      schema={form}
      before={textsOf(body)}
      verb="Save"
      isBusy={isBusy}
      error={undefined}
      onClose={onClose}
      onSubmit={(values) => {
        sent.current = changeOf(values);
        void save(base.etag);
      }}
    >
      <EditFailure
        error={error}
        base={base}
        now={schedule}
        fields={fields}
        reload={reload}
        onTheirs={() => setBase(schedule)}
        onMine={() => void save(schedule.etag)}
      />
    </FormDialog>
  );
}
