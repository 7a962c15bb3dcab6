import { nameOf } from "../parts/machine-name.ts";
import { Status } from "../parts/status.tsx";
import { hrefOf } from "../shell/place.ts";
import { type ShownMachine, whyNotAvailable } from "./machine-words.ts";
import type { ActiveRun } from "./use-active-runs.ts";
import { useThumbnail } from "./use-wall.ts";

interface MachineCardProps {
  readonly machine: ShownMachine;
  readonly run: ActiveRun | undefined;
}

export function MachineCard({ machine, run }: MachineCardProps) {
  const isConnected = machine.physical_server_id !== null;
  const { url, element } = useThumbnail(machine.id, !isConnected);
  const why = whyNotAvailable(machine, run !== undefined);
  return (
    <li class="machine-card">
      <div class="thumbnail" ref={element}>
        {url === undefined ? (
          <span>{isConnected ? "Looking …" : "No picture: not connected"}</span>
        ) : (
          <img src={url} alt="" class={isConnected ? undefined : "is-old"} />
        )}
      </div>
      <div class="machine-card-words">
        <a class="machine-card-name" href={hrefOf("machines", machine.id)}>
          {nameOf(machine)}
        </a>
        <Status value={machine.status === "error" ? "out of service" : machine.status} />
        <p class="machine-card-why">
          {run === undefined ? null : (
            <a class="machine-card-run" href={hrefOf("runs", run.id)}>
              run {run.id.slice(-8)}
            </a>
          )}
          {why ?? "takes new runs"}
        </p>
        {machine.pools.length === 0 ? null : (
          <p class="machine-card-pools">{machine.pools.map(({ name }) => name).join(" · ")}</p>
        )}
      </div>
    </li>
  );
}
