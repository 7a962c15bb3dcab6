import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
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
      <dl class="facts">
        <dt>Run</dt>
        <dd>
          {run === undefined ? (
            "–"
          ) : (
            <a href={hrefOf("runs", run.id)}>
              {run.status} <code>{run.id.slice(-8)}</code>
            </a>
          )}
        </dd>
        <dt>Last heard of</dt>
        <dd>
          <RelativeTime at={machine.last_seen} />
        </dd>
        <dt>Added</dt>
        <dd>
          <RelativeTime at={machine.created_at} />
        </dd>
        <Fact name="Host" value={machine.hostname} />
        <Fact name="System" value={machine.os_info} />
        <Fact name="Driver" value={machine.version} />
        <Fact name="Programs" value={machine.programs.join(", ")} />
        <dt>Id</dt>
        <dd>
          <code>{machine.id}</code>
        </dd>
      </dl>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
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
      <label>
        <input
          type="checkbox"
          checked={machine.is_available}
          disabled={isBusy}
          onChange={({ currentTarget }) => void change({ is_available: currentTarget.checked })}
        />{" "}
        Takes new runs
      </label>
      <label>
        <input
          type="checkbox"
          checked={machine.status !== "error"}
          disabled={isBusy}
          onChange={({ currentTarget }) =>
            void change({ status: currentTarget.checked ? "connected" : "error" })
          }
        />{" "}
        In service
      </label>
    </div>
  );
}
