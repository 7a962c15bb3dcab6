import { useState } from "preact/hooks";
import type { Schedule } from "../../../../../shared/contract/schedule.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useTagged } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Facts } from "../../parts/facts.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import type { ItemProps } from "../../shell/section.ts";
import { EditSchedule } from "./edit-schedule.tsx";
import { stateOf, timesOf } from "./schedule-form.ts";

const everyMs = 15_000;

export function SchedulePage({ item: schedule_id }: ItemProps) {
  const can = useCan();
  const [isEditing, setEditing] = useState(false);
  const path = { schedule_id };
  const schedule = useTagged("getSchedule", { path }, { everyMs });
  return (
    <>
      <PageHeader
        title={schedule.data?.body.name || "Schedule"}
        back={{ href: hrefOf("schedules"), text: "Schedules" }}
      >
        {can("write") && schedule.data !== undefined ? (
          <Actions schedule={schedule.data.body} reload={schedule.reload} onEdit={() => setEditing(true)} />
        ) : null}
      </PageHeader>
      <Show of={schedule}>
        {(shown) => (
          <>
            <ScheduleFacts schedule={shown.body} />
            {isEditing ? (
              <EditSchedule schedule={shown} reload={schedule.reload} onClose={() => setEditing(false)} />
            ) : null}
          </>
        )}
      </Show>
    </>
  );
}

interface ActionsProps {
  readonly schedule: Schedule;
  readonly reload: () => Promise<void>;
  readonly onEdit: () => void;
}

function Actions({ schedule, reload, onEdit }: ActionsProps) {
  const { act, isBusy } = useAction();
  const path = { schedule_id: schedule.id };
  const runNow = async () => {
    const started = await act("runSchedule", { path }, { done: "The run waits for a machine." });
    if (started !== undefined) navigate(hrefOf("runs", started.body.id));
  };
  const turn = async (is_enabled: boolean) => {
    const done = is_enabled ? "The schedule is on." : "The schedule is off.";
    await act("updateSchedule", { path, body: { is_enabled } }, { done });
    await reload();
  };
  const remove = async () => {
    const text = "It starts no run any more. Its runs stay.";
    if (!(await confirm({ title: "Delete this schedule?", text, verb: "Delete" }))) return;
    const done = await act("deleteSchedule", { path }, { done: "The schedule is deleted." });
    if (done !== undefined) navigate(hrefOf("schedules"));
  };
  return (
    <>
      <Button text="Run now" class="primary" disabled={isBusy} onClick={runNow} />
      <Button
        text={schedule.is_enabled ? "Switch off" : "Switch on"}
        disabled={isBusy}
        onClick={() => turn(!schedule.is_enabled)}
      />
      <Button text="Edit" onClick={onEdit} />
      <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} />
    </>
  );
}

function ScheduleFacts({ schedule }: { readonly schedule: Schedule }) {
  const { machine_id, pool_ids, last_run_id, last_outcome, next_at } = schedule;
  return (
    <Facts
      isPanel
      of={{
        State: <Status value={stateOf(schedule)} />,
        Times: <code>{timesOf(schedule)}</code>,
        Next:
          next_at.length === 0
            ? "–"
            : next_at.map((at) => (
                <div key={at}>
                  <time dateTime={at}>{new Date(at).toLocaleString()}</time>
                </div>
              )),
        Last: (
          <>
            {last_outcome === null ? "–" : <Status value={last_outcome} />}{" "}
            <RelativeTime at={schedule.last_due_at} />
          </>
        ),
        "Last run": last_run_id === null ? "–" : <a href={hrefOf("runs", last_run_id)}>{last_run_id}</a>,
        Workflow: <a href={hrefOf("workflows", schedule.workflow_id)}>{schedule.workflow_id}</a>,
        Machine:
          machine_id === null ? (
            (pool_ids.length === 0 && "any that is free") || "any of the pools"
          ) : (
            <a href={hrefOf("machines", machine_id)}>{machine_id}</a>
          ),
        "While an earlier run has not ended": schedule.overlap,
        Inputs: <code>{JSON.stringify(schedule.input_values)}</code>,
        Files: schedule.files.map(({ filename }) => filename).join(", ") || "–",
        Changed: <RelativeTime at={schedule.updated_at} />,
        Id: <code>{schedule.id}</code>,
      }}
    />
  );
}
