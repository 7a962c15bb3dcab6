import { useState } from "preact/hooks";
import { useCan } from "../../data/service.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextFilter } from "../../parts/list/filters.tsx";
import { PagedTable } from "../../parts/list/paged-table.tsx";
import { pageSize, useSkip } from "../../parts/list/pager.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { usePlace } from "../../shell/router.ts";
import { CreateSchedule } from "./create-schedule.tsx";
import { stateOf, timesOf } from "./schedule-form.ts";

const everyMs = 30_000;

export function ScheduleList() {
  const can = useCan();
  const skip = useSkip();
  const { search } = usePlace().query;
  const query = { limit: pageSize, skip, ...(search && { search }) };
  const schedules = useCall("listSchedules", { query }, { everyMs });
  const [isCreating, setCreating] = useState(false);
  const create = can("write") ? (
    <Button text="New schedule" class="primary" onClick={() => setCreating(true)} />
  ) : null;
  return (
    <>
      <PageHeader title="Schedules">{create}</PageHeader>
      <div class="filters">
        <TextFilter name="search" label="Search" />
      </div>
      <PagedTable
        of={schedules}
        caption="Schedules"
        empty={
          <Empty
            text={
              search
                ? "No schedule has this text."
                : "There is no schedule yet. One starts runs of a workflow by itself, at times that you say."
            }
          >
            {search ? null : create}
          </Empty>
        }
        columns={[
          {
            title: "Name",
            cell: ({ id, name }) => <a href={hrefOf("schedules", id)}>{name || "Without a name"}</a>,
          },
          { title: "Times", cell: (schedule) => <code>{timesOf(schedule)}</code> },
          { title: "State", cell: (schedule) => <Status value={stateOf(schedule)} /> },
          { title: "Next", cell: ({ next_at: [next] }) => <RelativeTime at={next} /> },
          {
            title: "Last",
            isMinor: true,
            cell: ({ last_outcome }) => (last_outcome === null ? "–" : <Status value={last_outcome} />),
          },
        ]}
      />
      {isCreating ? <CreateSchedule onClose={() => setCreating(false)} /> : null}
    </>
  );
}
