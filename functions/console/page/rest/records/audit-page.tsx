import type { AuditedResource } from "../../../../../shared/contract/audit-event.ts";
import { useCall } from "../../data/use-call.ts";
import { Empty } from "../../parts/empty.tsx";
import { ChoiceFilter, MoreFilters, TextFilter } from "../../parts/list/filters.tsx";
import { given } from "../../parts/list/given.ts";
import { PagedTable } from "../../parts/list/paged-table.tsx";
import { pageSize, useSkip } from "../../parts/list/pager.tsx";
import { TimeFilters } from "../../parts/list/time-filters.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { hrefOf } from "../../shell/place.ts";
import { usePlace } from "../../shell/router.ts";
import { Actor } from "./actor.tsx";
import { sectionOf } from "./section-of.ts";

const filters = [
  "actor",
  "operation",
  "resource_type",
  "resource_id",
  "created_at_from",
  "created_at_to",
] as const;

export function AuditPage() {
  const skip = useSkip();
  const chosen = given(usePlace().query, filters);
  const events = useCall("listAuditEvents", { query: { limit: pageSize, skip, ...chosen } });
  return (
    <>
      <PageHeader title="Audit" />
      <p>Every change of a resource: who made it, from where and when.</p>
      <div class="filters">
        <ChoiceFilter name="resource_type" label="Resource" choices={Object.keys(sectionOf)} />
        <TextFilter name="resource_id" label="Resource's id" />
        <TextFilter name="operation" label="Operation" />
        <TextFilter name="actor" label="Key or user" />
        <MoreFilters names={["created_at_from", "created_at_to"]}>
          <TimeFilters />
        </MoreFilters>
      </div>
      <PagedTable
        of={events}
        caption="Audit events"
        empty={<Empty text="No change fits." />}
        columns={[
          { title: "Operation", cell: ({ operation }) => <code>{operation}</code> },
          {
            title: "Resource",
            cell: ({ resource_type, resource_id }) => <Changed type={resource_type} id={resource_id} />,
          },
          { title: "Who", cell: (event) => <Actor of={event} /> },
          { title: "When", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
          { title: "Request", isMinor: true, cell: ({ request_id }) => <code>{request_id}</code> },
        ]}
      />
    </>
  );
}

function Changed({ type, id }: { readonly type: AuditedResource; readonly id: string }) {
  const section = sectionOf[type];
  const words = `${type.replaceAll("_", " ")} ${id.slice(0, 8)}…`;
  return section === undefined ? <span title={id}>{words}</span> : <a href={hrefOf(section, id)}>{words}</a>;
}
