import type { Machine } from "../../../../shared/contract/machine.ts";
import type { Tagged } from "../data/call-any.ts";
import { useCan, useService } from "../data/service.ts";
import { useTagged } from "../data/use-call.ts";
import { isHolder } from "../parts/holder.ts";
import { nameOf } from "../parts/machine-name.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { Show } from "../parts/show.tsx";
import { LiveScreen } from "../screen/live-screen.tsx";
import { hrefOf } from "../shell/place.ts";
import type { ItemProps } from "../shell/section.ts";
import { HeldMachine } from "./held-machine.tsx";
import { MachineActions } from "./machine-actions.tsx";
import { MachineCalls } from "./machine-calls.tsx";
import { MachineConnections } from "./machine-connections.tsx";
import { MachineFacts } from "./machine-facts.tsx";
import { MachineFiles } from "./machine-files.tsx";
import { MachineParameters } from "./machine-parameters.tsx";
import { MachinePools } from "./machine-pools.tsx";
import { MachineShell } from "./machine-shell.tsx";
import { useActiveRuns } from "./use-active-runs.ts";

export function MachinePage({ item: machineId }: ItemProps) {
  const machine = useTagged(
    "getMachine",
    { path: { machine_id: machineId } },
    { topics: [`machine:${machineId}`] },
  );
  const name = machine.data === undefined ? "Machine" : nameOf(machine.data.body);
  return (
    <>
      <PageHeader title={name} back={{ href: hrefOf("machines"), text: "Machines" }}>
        {machine.data === undefined ? null : (
          <MachineActions machine={machine.data.body} reload={machine.reload} />
        )}
      </PageHeader>
      <Show of={machine}>{(shown) => <ShownPage tagged={shown} reload={machine.reload} />}</Show>
    </>
  );
}

interface ShownPageProps {
  readonly tagged: Tagged<Machine>;
  readonly reload: () => Promise<void>;
}

function ShownPage({ tagged, reload }: ShownPageProps) {
  const { body: machine } = tagged;
  const can = useCan();
  const { caller } = useService();
  const run = useActiveRuns(machine.id).get(machine.id);
  const isConnected = machine.status !== "disconnected" && machine.physical_server_id !== null;
  const { held } = machine;
  const isMine = held === null || isHolder(held, caller);
  const canAct = can("write") && isMine;
  return (
    <div class="machine">
      <div class="machine-main">
        {held === null ? null : <HeldMachine held={held} isMine={isMine} reload={reload} />}
        <LiveScreen
          machineId={machine.id}
          name={nameOf(machine)}
          isConnected={isConnected}
          canAct={canAct}
          isStepwise={held !== null}
        />
        {canAct ? (
          <>
            <MachineShell machineId={machine.id} isConnected={isConnected} />
            <MachineFiles machineId={machine.id} isConnected={isConnected} />
          </>
        ) : null}
        <MachineCalls machineId={machine.id} />
        <MachineConnections machineId={machine.id} />
      </div>
      <div class="machine-side">
        <MachineFacts machine={machine} run={run} reload={reload} />
        <MachinePools machine={tagged} reload={reload} />
        <MachineParameters machine={tagged} reload={reload} />
      </div>
    </div>
  );
}
