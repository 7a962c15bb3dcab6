import { useState } from "preact/hooks";
import type { PoolDetail } from "../../../../../shared/contract/pool.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useTagged } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Table } from "../../parts/list/table.tsx";
import { nameOf } from "../../parts/machine-name.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import type { ItemProps } from "../../shell/section.ts";
import { AddMachine } from "./add-machine.tsx";
import { EditPool } from "./edit-pool.tsx";

export function PoolPage({ item: pool_id }: ItemProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const [isEditing, setEditing] = useState(false);
  const pool = useTagged(
    "getPool",
    { path: { pool_id }, query: { include_machines: true } },
    { topics: ["machines"] },
  );
  const remove = async () => {
    const text = "Runs that wait for it alone end as errors. Its machines stay.";
    if (!(await confirm({ title: "Delete this pool?", text, verb: "Delete" }))) return;
    const done = await act("deletePool", { path: { pool_id } }, { done: "The pool is deleted." });
    if (done !== undefined) navigate(hrefOf("pools"));
  };
  return (
    <>
      <PageHeader title={pool.data?.body.name ?? "Pool"} back={{ href: hrefOf("pools"), text: "Pools" }}>
        {can("write") && pool.data !== undefined ? (
          <>
            <Button text="Edit" onClick={() => setEditing(true)} />
            <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} />
          </>
        ) : null}
      </PageHeader>
      <Show of={pool}>
        {(shown) => (
          <>
            <PoolFacts pool={shown.body} />
            <h2>Machines</h2>
            <PoolMachines pool={shown.body} onChange={pool.reload} />
            {isEditing ? (
              <EditPool pool={shown} reload={pool.reload} onClose={() => setEditing(false)} />
            ) : null}
          </>
        )}
      </Show>
    </>
  );
}

function PoolFacts({ pool }: { readonly pool: PoolDetail }) {
  const secrets = Object.keys(pool.pool_sensitive_parameters);
  return (
    <Facts
      isPanel
      of={{
        Description: pool.description || "–",
        Inputs: <code>{JSON.stringify(pool.pool_parameters)}</code>,
        "Secret inputs": secrets.join(", ") || "–",
        Changed: <RelativeTime at={pool.updated_at} />,
        Id: <code>{pool.id}</code>,
      }}
    />
  );
}

interface PoolMachinesProps {
  readonly pool: PoolDetail;
  readonly onChange: () => Promise<void>;
}

function PoolMachines({ pool, onChange }: PoolMachinesProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const { id: pool_id, machines = [] } = pool;
  const leave = async (machine: Parameters<typeof nameOf>[0]) => {
    const body = { machine_ids: [machine.id] };
    const done = `${nameOf(machine)} has left the pool.`;
    await act("removeMachinesFromPool", { path: { pool_id }, body }, { done });
    await onChange();
  };
  return (
    <>
      {machines.length === 0 ? (
        <p>No machine is in it: its runs wait.</p>
      ) : (
        <Table
          caption="Machines of the pool"
          rows={machines}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Machine",
              cell: (machine) => <a href={hrefOf("machines", machine.id)}>{nameOf(machine)}</a>,
            },
            { title: "Status", cell: ({ status }) => <Status value={status} /> },
            {
              title: "In the pool",
              cell: (machine) =>
                can("write") ? (
                  <Button text="Remove" class="small" disabled={isBusy} onClick={() => leave(machine)} />
                ) : null,
            },
          ]}
        />
      )}
      {can("write") ? (
        <AddMachine poolId={pool_id} memberIds={machines.map(({ id }) => id)} onAdded={onChange} />
      ) : null}
    </>
  );
}
