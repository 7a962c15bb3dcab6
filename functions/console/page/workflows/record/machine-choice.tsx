import type { MachineList } from "../../../../../shared/contract/machine.ts";

interface MachineChoiceProps {
  readonly machines: MachineList["items"];
  readonly chosen: string | undefined;
  readonly onChoose: (machineId: string) => void;
}

export function MachineChoice({ machines, chosen, onChoose }: MachineChoiceProps) {
  return (
    <fieldset class="choices">
      <legend>Desktop</legend>
      {machines.map(({ id, name, os_info, held }) => (
        <label key={id} class="check">
          <input
            type="radio"
            name="machine"
            checked={id === chosen}
            disabled={held !== null}
            onChange={() => onChoose(id)}
          />
          {name || id}
          <small>{held === null ? os_info : "somebody drives it"}</small>
        </label>
      ))}
    </fieldset>
  );
}
