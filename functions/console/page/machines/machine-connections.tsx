import { useState } from "preact/hooks";
import type { Connection } from "../../../../shared/contract/connection.ts";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { confirm } from "../parts/confirm.tsx";
import { type Column, Table } from "../parts/list/table.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Show } from "../parts/show.tsx";
import { Status } from "../parts/status.tsx";

/** The driver's connections of the last 30 days, read while it is open. */
export function MachineConnections({ machineId }: { readonly machineId: string }) {
  const [isOpen, setOpen] = useState(false);
  const can = useCan();
  const { act, isBusy } = useAction();
  const connections = useCall(
    "listConnections",
    { query: { machine_id: [machineId], limit: 20 } },
    { topics: [`machine:${machineId}`], isOff: !isOpen },
  );
  const close = async ({ id }: Connection) => {
    const text = "Calls that are under way fail. The driver connects again by itself.";
    if (!(await confirm({ title: "Close this connection?", text, verb: "Close" }))) return;
    await act("deleteConnection", { path: { connection_id: id } }, { done: "The connection is closed." });
    await connections.reload();
  };
  const columns: readonly Column<Connection>[] = [
    { title: "From", cell: ({ ip_address }) => ip_address },
    { title: "Status", cell: ({ status }) => <Status value={status} /> },
    { title: "Connected", cell: ({ connected_at }) => <RelativeTime at={connected_at} /> },
    { title: "Ended", cell: ({ disconnected_at }) => <RelativeTime at={disconnected_at} /> },
    { title: "Driver", isMinor: true, cell: ({ user_agent }) => user_agent },
    {
      title: "",
      cell: (connection) =>
        can("write") && connection.status === "connected" ? (
          <Button text="Close" class="small" disabled={isBusy} onClick={() => close(connection)} />
        ) : null,
    },
  ];
  return (
    <details class="panel fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>Connections</h2>
      </summary>
      {isOpen ? (
        <Show of={connections}>
          {({ items }) => (
            <Table caption="Connections" columns={columns} rows={items} keyOf={({ id }) => id} />
          )}
        </Show>
      ) : null}
    </details>
  );
}
