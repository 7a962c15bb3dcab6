import type { RunResponse } from "../../../../shared/contract/run/run.ts";
import { useCan } from "../data/service.ts";
import { useCall } from "../data/use-call.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { Show } from "../parts/show.tsx";
import { hrefOf } from "../shell/place.ts";
import type { ItemProps } from "../shell/section.ts";
import { FilmStrip } from "./film-strip.tsx";
import { HeldPanel } from "./held-panel.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunFiles } from "./run-files.tsx";
import { RunValues } from "./run-values.tsx";
import { hasEnded, namesOf } from "./run-words.ts";

/** Neither progress nor the place in the queue raises a hint. */
const everyMs = 3_000;

export function RunPage({ item: run_id }: ItemProps) {
  const run = useCall(
    "getRun",
    { path: { run_id }, query: { include: ["workflow", "machine"] } },
    { topics: [`run:${run_id}`], everyMs },
  );
  const names = namesOf(run.data?.included);
  const title = (run.data && names.get(run.data.workflow_id)) ?? "Run";
  return (
    <>
      <PageHeader title={title} back={{ href: hrefOf("runs"), text: "Runs" }}>
        {run.data === undefined ? null : <RunActions run={run.data} onChange={() => void run.reload()} />}
      </PageHeader>
      <Show of={run}>
        {(shown) => <ShownRun run={shown} names={names} onChange={() => void run.reload()} />}
      </Show>
    </>
  );
}

interface ShownRunProps {
  readonly run: RunResponse;
  readonly names: ReadonlyMap<string, string>;
  readonly onChange: () => void;
}

function ShownRun({ run, names, onChange }: ShownRunProps) {
  const can = useCan();
  return (
    <>
      <RunFacts run={run} names={names} />
      {run.held === null || run.machine_id === null ? null : (
        <HeldPanel
          runId={run.id}
          held={run.held}
          machineId={run.machine_id}
          machineName={names.get(run.machine_id) ?? "the machine"}
          canAct={can("write")}
          onChange={onChange}
        />
      )}
      <FilmStrip runId={run.id} isOver={hasEnded(run)} />
      <RunValues run={run} />
      <RunFiles runId={run.id} isOver={hasEnded(run)} />
    </>
  );
}
