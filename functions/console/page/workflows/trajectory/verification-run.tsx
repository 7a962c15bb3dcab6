import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useCall } from "../../data/use-call.ts";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { LiveScreen } from "../../screen/live-screen.tsx";
import { hrefOf } from "../../shell/place.ts";

interface VerificationRunProps {
  readonly runId: string;
  readonly onEnded: () => void;
  /** What may be done about errors of the run. */
  readonly remedy: (errors: readonly string[]) => ComponentChildren;
}

const watchMs = 1_000;

/** The trajectory is written after its run has ended. */
const verifiedMs = [500, 2_000, 5_000] as const;

const waitingWords: Readonly<Record<string, string>> = {
  all_busy: "all machines are busy",
  all_disconnected: "no machine is connected",
  reserved: "the machine is reserved",
  out_of_service: "the machine is out of service",
  no_machine_matches: "there is no such machine",
  organization_limit: "as many runs are under way as may be",
  service_limit: "the service carries out as many runs as it may",
};

/** How far the run is, and what came of it. */
export function VerificationRun({ runId, onEnded, remedy }: VerificationRunProps) {
  const path = { run_id: runId };
  const run = useCall("getRun", { path }, { topics: [`run:${runId}`], everyMs: watchMs });
  const status = run.data?.status;
  const isEnded = status !== undefined && status !== "scheduling" && status !== "running";
  useEffect(() => {
    if (!isEnded) return undefined;
    onEnded();
    const timers = verifiedMs.map((ms) => setTimeout(onEnded, ms));
    return () => timers.forEach(clearTimeout);
  }, [isEnded]);
  return (
    <section class="verification" aria-label="Verification" aria-live="polite">
      <Show of={run}>
        {(shown) => (
          <>
            <p>
              <Status value={shown.status} /> <a href={hrefOf("runs", runId)}>Look at the run</a>
            </p>
            {shown.progress === null ? null : (
              <p>
                <progress value={shown.progress.step} max={shown.progress.of} aria-label="Steps done" /> step{" "}
                {shown.progress.step} of {shown.progress.of}
              </p>
            )}
            {shown.status === "running" && shown.machine_id !== null ? (
              <LiveScreen machineId={shown.machine_id} name="the desktop" canAct={false} />
            ) : null}
            {shown.waiting_reason === null ? null : (
              <p class="hint">It waits: {waitingWords[shown.waiting_reason] ?? shown.waiting_reason}.</p>
            )}
            {remedy(shown.error) ??
              shown.error.map((sentence) => (
                <p key={sentence} class="frame-problem">
                  {sentence}
                </p>
              ))}
          </>
        )}
      </Show>
    </section>
  );
}
