import { useState } from "preact/hooks";
import type { RequestLog } from "../../../../shared/contract/request-log.ts";
import { useCall } from "../data/use-call.ts";
import { type Column, Table } from "../parts/list/table.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Show } from "../parts/show.tsx";

const columns: readonly Column<RequestLog>[] = [
  { title: "Call", cell: ({ method, path }) => <code>{`${method} ${path}`}</code> },
  { title: "When", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    title: "Status",
    isNumber: true,
    cell: ({ status_code, error_code }) => status_code ?? error_code ?? "–",
  },
  {
    title: "Took",
    isNumber: true,
    cell: ({ duration_ms }) => (duration_ms === null ? "–" : `${duration_ms} ms`),
  },
];

/** What was called on the desktop, read while it is open. */
export function MachineCalls({ machineId }: { readonly machineId: string }) {
  const [isOpen, setOpen] = useState(false);
  const calls = useCall(
    "listRequestLogs",
    { query: { machine_id: [machineId], limit: 20 } },
    { everyMs: 5_000, isOff: !isOpen },
  );
  return (
    <details class="panel fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Last calls</h2>
      </summary>
      {isOpen ? (
        <Show of={calls}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="hint">There was none yet.</p>
            ) : (
              <Table caption="Last calls" columns={columns} rows={items} keyOf={({ id }) => id} />
            )
          }
        </Show>
      ) : null}
    </details>
  );
}
