import { useState } from "preact/hooks";
import { useCan } from "../data/service.ts";
import { useCall } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Pager, useSkip } from "../parts/list/pager.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Show } from "../parts/show.tsx";
import { hrefOf } from "../shell/place.ts";
import { usePlace } from "../shell/router.ts";
import { AddMachine } from "./add-machine.tsx";
import { MachineCard } from "./machine-card.tsx";
import { MachineFilterFields } from "./machine-filter-fields.tsx";
import { isAmong } from "./machine-filters.ts";
import { MachineTable } from "./machine-table.tsx";
import type { ShownMachine } from "./machine-words.ts";
import { useActiveRuns } from "./use-active-runs.ts";
import { useWall, WallContext } from "./use-wall.ts";

const pageSize = 200;

export function MachineList() {
  const { query } = usePlace();
  const can = useCan();
  const [isAdding, setAdding] = useState(query.add !== undefined);
  return (
    <>
      <PageHeader title="Machines">
        {can("write") ? (
          <a class="button" href={hrefOf("recordings")}>
            Record a demonstration
          </a>
        ) : null}
        <Button text="Add a machine" class="primary" onClick={() => setAdding(true)} />
      </PageHeader>
      <MachineFilterFields />
      {query.pool === undefined ? (
        <AllMachines onAdd={() => setAdding(true)} />
      ) : (
        <MachinesOfPool poolId={query.pool} onAdd={() => setAdding(true)} />
      )}
      {isAdding ? <AddMachine onClose={() => setAdding(false)} /> : null}
    </>
  );
}

interface ListProps {
  readonly onAdd: () => void;
}

function AllMachines({ onAdd }: ListProps) {
  const { query } = usePlace();
  const skip = useSkip();
  const filters = {
    ...(query.search !== undefined && { search: query.search }),
    ...(isStatus(query.status) && { status: [query.status] }),
  };
  const machines = useCall(
    "listMachines",
    { query: { limit: pageSize, skip, ...filters } },
    { topics: ["machines"] },
  );
  return (
    <Show of={machines}>
      {({ items, total }) => (
        <>
          <Machines machines={items} isFiltered={Object.keys(filters).length > 0} onAdd={onAdd} />
          <Pager skip={skip} shown={items.length} total={total} size={pageSize} />
        </>
      )}
    </Show>
  );
}

/** The API's list of machines has no filter by pool, and the pool has its machines. */
function MachinesOfPool({ poolId, onAdd }: ListProps & { readonly poolId: string }) {
  const { query } = usePlace();
  const pool = useCall(
    "getPool",
    { path: { pool_id: poolId }, query: { include_machines: true } },
    { topics: ["machines"] },
  );
  return (
    <Show of={pool}>
      {({ machines = [] }) => (
        <Machines machines={machines.filter((each) => isAmong(each, query))} isFiltered onAdd={onAdd} />
      )}
    </Show>
  );
}

interface MachinesProps extends ListProps {
  readonly machines: readonly ShownMachine[];
  readonly isFiltered: boolean;
}

function Machines({ machines, isFiltered, onAdd }: MachinesProps) {
  const { query } = usePlace();
  const wall = useWall();
  const runs = useActiveRuns();
  if (machines.length === 0) {
    return isFiltered ? (
      <Empty text="No machine fits these filters." />
    ) : (
      <Empty text="No machine is connected yet. A driver on a desktop makes one when it connects.">
        <Button text="Show the command" onClick={onAdd} />
      </Empty>
    );
  }
  if (query.view === "table") return <MachineTable machines={machines} runs={runs} />;
  return (
    <WallContext.Provider value={wall}>
      <ul class="wall">
        {machines.map((machine) => (
          <MachineCard key={machine.id} machine={machine} run={runs.get(machine.id)} />
        ))}
      </ul>
    </WallContext.Provider>
  );
}

function isStatus(text: string | undefined): text is ShownMachine["status"] {
  return text === "connected" || text === "disconnected" || text === "error";
}
