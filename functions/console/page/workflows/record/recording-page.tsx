import { useEffect, useState } from "preact/hooks";
import type { Recording } from "../../../../../shared/contract/recording.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/confirm.tsx";
import { Failure } from "../../parts/failure.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import type { ItemProps } from "../../shell/section.ts";
import { ProgressSteps } from "../progress-steps.tsx";
import { Recorder } from "./recorder.tsx";
import { useMaker } from "./use-maker.ts";

/** What ends a recording elsewhere is seen after this time at the latest. */
const watchMs = 10_000;

export function RecordingPage({ item }: ItemProps) {
  const recording = useCall("getRecording", { path: { recording_id: item } }, { everyMs: watchMs });
  return (
    <>
      <PageHeader title="Recording" back={{ href: hrefOf("workflows"), text: "Workflows" }}>
        {recording.data === undefined ? null : (
          <TimeLeft recording={recording.data} reload={recording.reload} />
        )}
      </PageHeader>
      <Show of={recording}>{(shown) => <Shown recording={shown} reload={recording.reload} />}</Show>
    </>
  );
}

interface ShownProps {
  readonly recording: Recording;
  readonly reload: () => Promise<void>;
}

function TimeLeft({ recording, reload }: ShownProps) {
  const { id, status, until } = recording;
  const { mayEnd } = useMaker(recording);
  const can = useCan();
  const { act, isBusy } = useAction();
  const extend = async () => {
    const path = { recording_id: id };
    await act("extendRecording", { path, body: {} }, { done: "You have 30 minutes from now." });
    await reload();
  };
  if (status !== "recording") return <Status value={status} />;
  return (
    <>
      <p class="card-tags">
        <Status value={status} /> ends by itself <RelativeTime at={until} />
      </p>
      {can("write") && mayEnd ? (
        <Button text="30 minutes more" class="small" disabled={isBusy} onClick={extend} />
      ) : null}
    </>
  );
}

function Shown({ recording, reload }: ShownProps) {
  const { id, status, trajectory_id, workflow_id } = recording;
  const can = useCan();
  const { act, isBusy, error } = useAction();
  const [isWorking, setWorking] = useState(false);
  const [isFinishing, setFinishing] = useState(false);
  const path = { recording_id: id };
  const { isMaker, mayEnd, words } = useMaker(recording);
  const isOpen = mayEnd && (status === "recording" || status === "expired");
  const finish = async () => {
    const date = new Date(recording.created_at).toLocaleString([], {
      dateStyle: "medium",
      timeStyle: "short",
    });
    const body = { name: `Demonstration of ${date}` };
    const made = await act("finishRecording", { path, body }, { isQuiet: true });
    setFinishing(false);
    if (made !== undefined) navigate(hrefOf("trajectories", made.body.id), { replace: true });
  };
  // What was done last belongs to the demonstration, too.
  useEffect(() => {
    if (isFinishing && !isWorking) void finish();
  }, [isFinishing, isWorking]);
  const discard = async () => {
    const question = {
      title: "Discard this recording?",
      text: "What was recorded is lost.",
      verb: "Discard",
    };
    if (!(await confirm(question))) return;
    const done = await act("discardRecording", { path }, { done: "The recording is discarded." });
    if (done !== undefined) navigate(workflow_id ? hrefOf("workflows", workflow_id) : hrefOf("workflows"));
  };
  return (
    <>
      {status === "recording" && !isMaker ? (
        <p class="panel held">
          Held by {words}, until <RelativeTime at={recording.until} />: nobody else acts on the desktop.
        </p>
      ) : null}
      <ProgressSteps at="record" />
      {error === undefined ? null : <Failure error={error} />}
      {trajectory_id === null ? null : (
        <p>
          <a class="button primary" href={hrefOf("trajectories", trajectory_id)}>
            Look at what was recorded
          </a>
        </p>
      )}
      <Recorder recording={recording} onRecorded={() => void reload()} onBusy={setWorking}>
        {isOpen && can("write") ? (
          <div class="actions">
            {recording.element_count === 0 ? null : (
              <Button
                text={isFinishing ? "Finishing …" : "Finish"}
                class="primary"
                disabled={isBusy || isFinishing}
                onClick={() => setFinishing(true)}
              />
            )}
            <Button text="Discard" class="danger" disabled={isBusy} onClick={discard} />
          </div>
        ) : null}
      </Recorder>
    </>
  );
}
