import { useState } from "preact/hooks";
import type { RunResponse } from "../../../../shared/contract/run/run.ts";
import { useCan } from "../data/service.ts";
import { useAction } from "../data/use-action.ts";
import { Button } from "../parts/button.tsx";
import { confirm } from "../parts/confirm.tsx";
import { hrefOf } from "../shell/place.ts";
import { navigate } from "../shell/router.ts";
import { HoldDialog } from "./hold-dialog.tsx";
import { hasEnded } from "./run-words.ts";

interface RunActionsProps {
  readonly run: RunResponse;
  readonly onChange: () => void;
}

export function RunActions({ run, onChange }: RunActionsProps) {
  const can = useCan();
  const { act, isBusy } = useAction();
  const [isHolding, setHolding] = useState(false);
  const path = { run_id: run.id };
  if (!can("write")) return null;
  const cancel = async () => {
    const text = "At most the action under way still happens; the machine is free afterwards.";
    if (!(await confirm({ title: "Cancel this run?", text, verb: "Cancel the run" }))) return;
    await act("cancelRun", { path, body: {} }, { done: "The run is cancelled." });
    onChange();
  };
  const retry = async () => {
    await act("retryRun", { path, body: {} }, { done: "The run waits for its machine." });
    onChange();
  };
  const remove = async () => {
    const text = "Its steps, pictures and files go with it.";
    if (!(await confirm({ title: "Delete this run?", text, verb: "Delete" }))) return;
    const done = await act("deleteRun", { path }, { done: "The run is deleted." });
    if (done !== undefined) navigate(hrefOf("runs"));
  };
  const makeTrajectory = async () => {
    const made = await act(
      "generateTrajectory",
      { path },
      { done: "This is the recording of the run; look it through." },
    );
    if (made !== undefined) navigate(hrefOf("trajectories", made.body.id));
  };
  const isHoldable = run.status === "running" && run.executor === "service" && run.held === null;
  return (
    <>
      {isHoldable ? <Button text="Hold" class="primary" onClick={() => setHolding(true)} /> : null}
      {hasEnded(run) ? (
        <>
          {run.executor === "service" ? (
            <Button text="Make a recording of it" disabled={isBusy} onClick={makeTrajectory} />
          ) : null}
          <Button text="Retry" disabled={isBusy} onClick={retry} />
        </>
      ) : (
        <Button text="Cancel the run" class="danger" disabled={isBusy} onClick={cancel} />
      )}
      {hasEnded(run) ? <Button text="Delete" class="danger" disabled={isBusy} onClick={remove} /> : null}
      {isHolding ? (
        <HoldDialog
          runId={run.id}
          onClose={() => setHolding(false)}
          onDone={() => {
            setHolding(false);
            onChange();
          }}
        />
      ) : null}
    </>
  );
}
