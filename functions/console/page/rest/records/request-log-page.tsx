import { desktopMethods } from "../../../../../shared/vocabulary/methods.ts";
import { useCall } from "../../data/use-call.ts";
import { Empty } from "../../parts/empty.tsx";
import { ChoiceFilter, MoreFilters, TextFilter } from "../../parts/list/filters.tsx";
import { given } from "../../parts/list/given.ts";
import { PagedTable } from "../../parts/list/paged-table.tsx";
import { pageSize, useSkip } from "../../parts/list/pager.tsx";
import { TimeFilters } from "../../parts/list/time-filters.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Status } from "../../parts/status.tsx";
import { duration } from "../../parts/time-words.ts";
import { hrefOf } from "../../shell/place.ts";
import { usePlace } from "../../shell/router.ts";
import { Actor } from "./actor.tsx";

const filters = ["machine_id", "method", "status_code", "created_at_from", "created_at_to"] as const;

export function RequestLogPage() {
  const skip = useSkip();
  const chosen = given(usePlace().query, filters);
  const calls = useCall("listRequestLogs", { query: { limit: pageSize, skip, ...chosen } });
  return (
    <>
      <PageHeader title="Request log" />
      <p>Every call to a desktop, without what was sent and received.</p>
      <div class="filters">
        <TextFilter name="machine_id" label="Machine's id" />
        <ChoiceFilter name="method" label="Method" choices={desktopMethods} />
        <TextFilter name="status_code" label="Status" placeholder="such as 200" />
        <MoreFilters names={["created_at_from", "created_at_to"]}>
          <TimeFilters />
        </MoreFilters>
      </div>
      <PagedTable
        of={calls}
        caption="Calls to desktops"
        empty={<Empty text="No call fits." />}
        columns={[
          {
            title: "Call",
            cell: ({ method, path }) => (
              <code>
                {method} {path}
              </code>
            ),
          },
          {
            title: "Status",
            cell: ({ status_code, error_code }) =>
              status_code === null ? <Status value={error_code ?? "no response"} /> : status_code,
          },
          {
            title: "Took",
            isNumber: true,
            cell: ({ duration_ms }) => (duration_ms === null ? "–" : duration(duration_ms)),
          },
          {
            title: "Machine",
            cell: ({ machine_id }) => <a href={hrefOf("machines", machine_id)}>{machine_id.slice(0, 8)}…</a>,
          },
          { title: "Who", isMinor: true, cell: (call) => <Actor of={call} /> },
          { title: "When", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
        ]}
      />
    </>
  );
}
