import { type Column, Table } from "../parts/list/table.tsx";
import { nameOf } from "../parts/machine-name.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Status } from "../parts/status.tsx";
import { hrefOf } from "../shell/place.ts";
import { type ShownMachine, whyNotAvailable } from "./machine-words.ts";
import type { ActiveRun } from "./use-active-runs.ts";

interface MachineTableProps {
  readonly machines: readonly ShownMachine[];
  readonly runs: ReadonlyMap<string, ActiveRun>;
}

export function MachineTable({ machines, runs }: MachineTableProps) {
  const columns: readonly Column<ShownMachine>[] = [
    { title: "Name", cell: (machine) => <a href={hrefOf("machines", machine.id)}>{nameOf(machine)}</a> },
    {
      title: "Status",
      cell: ({ status }) => <Status value={status === "error" ? "out of service" : status} />,
    },
    { title: "New runs", cell: (machine) => whyNotAvailable(machine, runs.has(machine.id)) ?? "takes them" },
    {
      title: "Run",
      cell: ({ id }) => {
        const run = runs.get(id);
        return run === undefined ? "–" : <a href={hrefOf("runs", run.id)}>{run.id.slice(-8)}</a>;
      },
    },
    { title: "Pools", isMinor: true, cell: ({ pools }) => pools.map(({ name }) => name).join(", ") || "–" },
    { title: "System", isMinor: true, cell: ({ os_info }) => os_info || "–" },
    { title: "Last heard of", isMinor: true, cell: ({ last_seen }) => <RelativeTime at={last_seen} /> },
  ];
  return <Table caption="Machines" columns={columns} rows={machines} keyOf={({ id }) => id} />;
}
