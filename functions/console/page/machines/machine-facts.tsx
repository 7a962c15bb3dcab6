import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { Facts } from "../parts/facts.tsx";
import { Check } from "../parts/form/check.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Status } from "../parts/status.tsx";
import { hrefOf } from "../shell/place.ts";
import { type ShownMachine, whyNotAvailable } from "./machine-words.ts";
import type { ActiveRun } from "./use-active-runs.ts";

interface MachineFactsProps {
  readonly machine: ShownMachine;
  readonly run: ActiveRun | undefined;
  readonly reload: () => Promise<void>;
}

export function MachineFacts({ machine, run, reload }: MachineFactsProps) {
  const why = whyNotAvailable(machine, run !== undefined);
  return (
    <section class="panel" aria-labelledby="machine-state">
      <h2 id="machine-state">State</h2>
      <p>
        <Status value={machine.status === "error" ? "out of service" : machine.status} />{" "}
        {why === undefined ? "takes new runs" : <>takes no new run: {why}</>}
      </p>
      <Switches machine={machine} reload={reload} />
      <Facts
        of={{
          Run:
            run === undefined ? (
              "–"
            ) : (
              <a href={hrefOf("runs", run.id)}>
                {run.status} <code>{run.id.slice(-8)}</code>
              </a>
            ),
          "Last heard of": <RelativeTime at={machine.last_seen} />,
          Added: <RelativeTime at={machine.created_at} />,
          Host: machine.hostname,
          System: machine.os_info,
          Driver: machine.version,
          Programs: machine.programs.join(", "),
          Id: <code>{machine.id}</code>,
        }}
      />
    </section>
  );
}

function Switches({ machine, reload }: Pick<MachineFactsProps, "machine" | "reload">) {
  const can = useCan();
  const { act, isBusy } = useAction();
  if (!can("write")) return null;
  const change = async (body: {
    readonly is_available?: boolean;
    readonly status?: "error" | "connected";
  }) => {
    await act(
      "updateMachine",
      { path: { machine_id: machine.id }, body },
      { done: "The machine is changed." },
    );
    await reload();
  };
  return (
    <div class="machine-switches">
      <Check
        isChecked={machine.is_available}
        isOff={isBusy}
        onCheck={(is_available) => change({ is_available })}
      >
        Takes new runs
      </Check>
      <Check
        isChecked={machine.status !== "error"}
        isOff={isBusy}
        onCheck={(isInService) => change({ status: isInService ? "connected" : "error" })}
      >
        In service
      </Check>
    </div>
  );
}
