import type { Schedule } from "../../../../../shared/contract/schedule.ts";
import type { Tagged } from "../../data/call-any.ts";
import type { ShownFields } from "../../parts/changes/changes-between.ts";
import { EditDialog } from "../../parts/changes/edit-dialog.tsx";
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
  return (
    <EditDialog
      title="Edit the schedule"
      schema={form}
      now={schedule}
      fields={fields}
      textsOf={textsOf}
      save={async (act, values, ifMatch) =>
        await act(
          "updateSchedule",
          { path: { schedule_id: schedule.body.id }, body: changeOf(values), ifMatch },
          { done: "The schedule is saved.", isQuiet: true },
        )
      }
      reload={reload}
      onClose={onClose}
    />
  );
}
