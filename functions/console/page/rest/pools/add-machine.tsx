import { useState } from "preact/hooks";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { ChoiceField } from "../../parts/form/choice-field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { TextField } from "../../parts/form/text-field.tsx";
import { nameOf } from "../../parts/machine-name.ts";

/** The API's own bound of a page. */
const offeredMax = 100;

interface AddMachineProps {
  readonly poolId: string;
  readonly memberIds: readonly string[];
  readonly onAdded: () => Promise<void>;
}

export function AddMachine({ poolId, memberIds, onAdded }: AddMachineProps) {
  const { act, isBusy } = useAction();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState("");
  const machines = useCall(
    "listMachines",
    { query: { limit: offeredMax, ...(search.trim() !== "" && { search: search.trim() }) } },
    { topics: ["machines"] },
  );
  const offered = machines.data?.items.filter(({ id }) => !memberIds.includes(id)) ?? [];
  const add = async () => {
    const input = { path: { pool_id: poolId }, body: { machine_ids: [chosen] } };
    const added = await act("addMachinesToPool", input, { done: "The machine is in the pool." });
    if (added === undefined) return;
    setChosen("");
    await onAdded();
  };
  return (
    <Form class="filters" onSubmit={add}>
      <TextField label="Search machines" type="search" value={search} onText={setSearch} />
      <ChoiceField
        label="Machine"
        value={chosen}
        choices={[
          ["", offered.length === 0 ? "No other machine" : "Choose …"],
          ...offered.map((machine) => [machine.id, nameOf(machine)] as const),
        ]}
        onChoose={setChosen}
      />
      <button type="submit" disabled={isBusy || chosen === ""}>
        Add to the pool
      </button>
    </Form>
  );
}
