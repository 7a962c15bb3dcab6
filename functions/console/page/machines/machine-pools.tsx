import { useState } from "preact/hooks";
import type { Tagged } from "../data/call-any.ts";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { Button } from "../parts/button.tsx";
import { EditFailure } from "../parts/changes/edit-failure.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { CheckList } from "../parts/form/check-list.tsx";
import { Show } from "../parts/show.tsx";
import { hrefOf } from "../shell/place.ts";
import { machineFields } from "./machine-fields.ts";
import type { ShownMachine } from "./machine-words.ts";

interface MachinePoolsProps {
  readonly machine: Tagged<ShownMachine>;
  readonly reload: () => Promise<void>;
}

export function MachinePools({ machine, reload }: MachinePoolsProps) {
  const can = useCan();
  const { pools } = machine.body;
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="panel" aria-labelledby="machine-pools">
      <h2 id="machine-pools">Pools</h2>
      {pools.length === 0 ? (
        <p class="hint">In none.</p>
      ) : (
        <ul class="chips">
          {pools.map(({ id, name }) => (
            <li key={id}>
              <a href={hrefOf("machines", undefined, { pool: id })}>{name}</a>
            </li>
          ))}
        </ul>
      )}
      {can("write") ? <Button text="Change" class="small" onClick={() => setOpen(true)} /> : null}
      {isOpen ? <PoolsDialog machine={machine} reload={reload} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function PoolsDialog({ machine, reload, onClose }: MachinePoolsProps & { readonly onClose: () => void }) {
  const { act, isBusy, error } = useAction();
  const pools = useCall("listPools", { query: { limit: 1_000 } });
  const names = new Map(pools.data?.items.map(({ id, name }) => [id, name]));
  const [base, setBase] = useState(machine);
  const [chosen, setChosen] = useState(() => poolIdsOf(machine));
  const save = async (ifMatch: string) => {
    const done = await act(
      "setMachinePools",
      { path: { machine_id: machine.body.id }, body: { pool_ids: [...chosen] }, ifMatch },
      { done: "The machine's pools are changed.", isQuiet: true },
    );
    if (done === undefined) return;
    await reload();
    onClose();
  };
  return (
    <Dialog title="Pools of the machine" onClose={onClose}>
      <Show of={pools}>
        {({ items }) =>
          items.length === 0 ? (
            <p>There is no pool yet.</p>
          ) : (
            <CheckList
              legend="In these pools"
              items={items.map(({ id }) => id)}
              chosen={chosen}
              onChoose={setChosen}
            >
              {(id) => names.get(id)}
            </CheckList>
          )
        }
      </Show>
      <EditFailure
        error={error}
        base={base}
        now={machine}
        fields={machineFields}
        reload={reload}
        onTheirs={() => {
          setBase(machine);
          setChosen(poolIdsOf(machine));
        }}
        onMine={() => void save(machine.etag)}
      />
      <div class="actions">
        <Button
          text="Save"
          class="primary"
          disabled={isBusy || pools.data === undefined}
          onClick={() => save(base.etag)}
        />
      </div>
    </Dialog>
  );
}

function poolIdsOf({ body }: Tagged<ShownMachine>): readonly string[] {
  return body.pools.map(({ id }) => id);
}
