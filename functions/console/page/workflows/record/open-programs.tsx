import { useAction } from "../../data/use-action.ts";

interface OpenProgramsProps {
  readonly machineId: string;
  readonly programs: readonly string[];
  readonly onOpened: () => void;
}

/** A recording that begins with a program, anew, replays whatever the desktop shows. */
export function OpenPrograms({ machineId, programs, onOpened }: OpenProgramsProps) {
  const { act, isBusy } = useAction();
  const open = async (program: string) => {
    const body = { program, if_open: "restart" } as const;
    if ((await act("openProgram", { path: { machine_id: machineId }, body })) !== undefined) onOpened();
  };
  return (
    <div class="open-programs">
      <span>Best begin with a program, so that runs start from anywhere:</span>
      {programs.map((program) => (
        <button
          key={program}
          type="button"
          class="small"
          disabled={isBusy}
          onClick={() => void open(program)}
        >
          Open {program}
        </button>
      ))}
    </div>
  );
}
