import { useState } from "preact/hooks";
import type { Recording } from "../../../../../shared/contract/recording.ts";
import { useCan } from "../../data/service.ts";
import { useAction } from "../../data/use-action.ts";
import { useCall } from "../../data/use-call.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Field } from "../../parts/field.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { Show } from "../../parts/show.tsx";
import { Status } from "../../parts/status.tsx";
import { hrefOf } from "../../shell/place.ts";
import { navigate } from "../../shell/router.ts";
import type { ItemProps } from "../../shell/section.ts";
import { ProgressSteps } from "../progress-steps.tsx";
import { Recorder } from "./recorder.tsx";

/** What ends a recording elsewhere is seen after this time at the latest. */
const watchMs = 10_000;

export function RecordingPage({ item }: ItemProps) {
  const recording = useCall("getRecording", { path: { recording_id: item } }, { everyMs: watchMs });
  return (
    <>
      <PageHeader title="Recording" back={{ href: hrefOf("workflows"), text: "Workflows" }} />
      <Show of={recording}>{(shown) => <Shown recording={shown} reload={recording.reload} />}</Show>
    </>
  );
}

interface ShownProps {
  readonly recording: Recording;
  readonly reload: () => Promise<void>;
}

function Shown({ recording, reload }: ShownProps) {
  const { id, status, trajectory_id, workflow_id } = recording;
  const can = useCan();
  const { act, isBusy, error } = useAction();
  const [name, setName] = useState(
    () => `Demonstration of ${new Date(recording.created_at).toLocaleString()}`,
  );
  const path = { recording_id: id };
  const isOpen = status === "recording" || status === "expired";
  const finish = async () => {
    const body = name === "" ? {} : { name };
    const made = await act(
      "finishRecording",
      { path, body },
      { isQuiet: true, done: "This is what was recorded." },
    );
    if (made !== undefined) navigate(hrefOf("trajectories", made.body.id), { replace: true });
  };
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
  const extend = async () => {
    await act("extendRecording", { path, body: {} }, { done: "You have 30 minutes from now." });
    await reload();
  };
  return (
    <>
      <ProgressSteps at="record" />
      <p class="card-tags">
        <Status value={status} />
        {status === "recording" ? (
          <span>
            ends by itself <RelativeTime at={recording.until} />
          </span>
        ) : null}
        {status === "recording" && can("write") ? (
          <button type="button" class="small" disabled={isBusy} onClick={() => void extend()}>
            30 minutes more
          </button>
        ) : null}
      </p>
      {error === undefined ? null : <Failure error={error} />}
      {trajectory_id === null ? null : (
        <p>
          <a class="button primary" href={hrefOf("trajectories", trajectory_id)}>
            Look at what was recorded
          </a>
        </p>
      )}
      <Recorder recording={recording} onRecorded={() => void reload()}>
        {isOpen && can("write") ? (
          <form
            class="finish"
            onSubmit={(event) => {
              event.preventDefault();
              void finish();
            }}
          >
            <Field label="Name of the recording">
              {(control) => (
                <input
                  {...control}
                  maxLength={255}
                  value={name}
                  onInput={(event) => setName(event.currentTarget.value)}
                />
              )}
            </Field>
            <div class="actions">
              <button type="submit" class="primary" disabled={isBusy || recording.element_count === 0}>
                Finish
              </button>
              <button type="button" class="danger" disabled={isBusy} onClick={() => void discard()}>
                Discard
              </button>
            </div>
          </form>
        ) : null}
      </Recorder>
    </>
  );
}
