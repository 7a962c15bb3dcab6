import { useState } from "preact/hooks";
import type { Tagged } from "../data/call-any.ts";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { useCall } from "../data/use-call.ts";
import { EditFailure } from "../parts/changes/edit-failure.tsx";
import { Dialog } from "../parts/dialog.tsx";
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
      {can("write") ? (
        <button type="button" class="small" onClick={() => setOpen(true)}>
          Change
        </button>
      ) : null}
      {isOpen ? <PoolsDialog machine={machine} reload={reload} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function PoolsDialog({ machine, reload, onClose }: MachinePoolsProps & { readonly onClose: () => void }) {
  const { act, isBusy, error } = useAction();
  const pools = useCall("listPools", { query: { limit: 1_000 } });
  const [base, setBase] = useState(machine);
  const [chosen, setChosen] = useState(() => poolIdsOf(machine));
  const choose = (id: string, isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, id] : [...chosen].filter((each) => each !== id)));
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
            <ul class="choices">
              {items.map(({ id, name }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={chosen.has(id)}
                      onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
                    />{" "}
                    {name}
                  </label>
                </li>
              ))}
            </ul>
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
        <button
          type="button"
          class="primary"
          disabled={isBusy || pools.data === undefined}
          onClick={() => void save(base.etag)}
        >
          Save
        </button>
      </div>
    </Dialog>
  );
}

function poolIdsOf({ body }: Tagged<ShownMachine>): ReadonlySet<string> {
  return new Set(body.pools.map(({ id }) => id));
}
