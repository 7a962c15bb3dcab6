import type { Run } from "../../../../shared/contract/run/run.ts";
import { runStatuses } from "../../../../shared/vocabulary/runs.ts";
import { useCall } from "../data/use-call.ts";
import { Empty } from "../parts/empty.tsx";
import { ChoiceFilter, MoreFilters, TextFilter } from "../parts/list/filters.tsx";
import { given } from "../parts/list/given.ts";
import { Pager, pageSize, useSkip } from "../parts/list/pager.tsx";
import { Table } from "../parts/list/table.tsx";
import { TimeFilters } from "../parts/list/time-filters.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Show } from "../parts/show.tsx";
import { Status } from "../parts/status.tsx";
import { duration } from "../parts/time-words.ts";
import { hrefOf } from "../shell/place.ts";
import { usePlace } from "../shell/router.ts";
import { namesOf } from "./run-words.ts";

const rareFilters = ["workflow_id", "machine_id", "created_at_from", "created_at_to"] as const;
const filters = ["status", "search", "session_id", "waiting_for_person", ...rareFilters] as const;

export function RunList() {
  const skip = useSkip();
  const chosen = given(usePlace().query, filters);
  const isFiltered = Object.keys(chosen).length > 0;
  const runs = useCall(
    "listRuns",
    {
      query: {
        limit: pageSize,
        skip,
        sort_mode: "active_first",
        include: ["workflow", "machine"],
        ...chosen,
      },
    },
    { topics: ["runs"] },
  );
  return (
    <>
      <PageHeader title="Runs" />
      <search class="filters">
        <ChoiceFilter name="status" label="Status" choices={runStatuses} />
        <ChoiceFilter
          name="waiting_for_person"
          label="Waits for a person"
          choices={["true", "false"]}
          wordsOf={(choice) => (choice === "true" ? "yes" : "no")}
        />
        <TextFilter name="search" label="Search" placeholder="inputs, outputs, errors" />
        <MoreFilters names={rareFilters}>
          <TextFilter name="workflow_id" label="Workflow's id" />
          <TextFilter name="machine_id" label="Machine's id" />
          <TimeFilters />
        </MoreFilters>
      </search>
      <Show of={runs}>
        {({ items, total, included }) =>
          total === 0 ? (
            <Empty text={isFiltered ? "No run fits." : "There is no run yet. A workflow's page starts one."}>
              {isFiltered ? (
                <a href={hrefOf("runs")}>Show all runs</a>
              ) : (
                <a class="button" href={hrefOf("workflows")}>
                  Workflows
                </a>
              )}
            </Empty>
          ) : (
            <>
              <RunTable runs={items as readonly Run[]} names={namesOf(included)} />
              <Pager skip={skip} shown={items.length} total={total} />
            </>
          )
        }
      </Show>
    </>
  );
}

interface RunTableProps {
  readonly runs: readonly Run[];
  readonly names: ReadonlyMap<string, string>;
}

function RunTable({ runs, names }: RunTableProps) {
  return (
    <Table
      caption="Runs"
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Run",
          cell: ({ id, workflow_id }) => (
            <a href={hrefOf("runs", id)}>{names.get(workflow_id) ?? "a deleted workflow"}</a>
          ),
        },
        {
          title: "Status",
          cell: ({ status, held }) => (
            <>
              <Status value={status} /> {held === null ? null : <Status value="held" />}
            </>
          ),
        },
        {
          title: "Machine",
          cell: ({ machine_id }) =>
            machine_id === null ? (
              "–"
            ) : (
              <a href={hrefOf("machines", machine_id)}>{names.get(machine_id) ?? "a deleted machine"}</a>
            ),
        },
        { title: "Created", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
        { title: "Took", isNumber: true, isMinor: true, cell: tookOf },
        { title: "Error", isMinor: true, cell: ({ error }) => error.at(-1) ?? "" },
      ]}
    />
  );
}

function tookOf({ started_at, ended_at }: Run): string {
  if (started_at === null || ended_at === null) return "–";
  return duration(Date.parse(ended_at) - Date.parse(started_at));
}
