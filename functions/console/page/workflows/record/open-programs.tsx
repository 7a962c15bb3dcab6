import { useAction } from "../../data/use-action.ts";
import { Button } from "../../parts/button.tsx";

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
  if (programs.length === 0) return null;
  return (
    <div class="open-programs">
      <p>Best begin by opening a program here: then runs start from anywhere.</p>
      {programs.map((program) => (
        <Button
          key={program}
          text={isBusy ? `Opening ${program} …` : `Open ${program}`}
          class="primary"
          disabled={isBusy}
          onClick={() => open(program)}
        />
      ))}
    </div>
  );
}
