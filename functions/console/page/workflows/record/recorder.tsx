import type { ComponentChildren } from "preact";
import type { Recording } from "../../../../../shared/contract/recording.ts";
import { useCan } from "../../data/service.ts";
import { useCall } from "../../data/use-call.ts";
import { LiveScreen } from "../../screen/live-screen.tsx";
import { countOf } from "../count-of.ts";
import { readPrompt } from "../edit/prompt-names.ts";
import { namesOf } from "../edit/schema-rows.ts";
import { OpenPrograms } from "./open-programs.tsx";
import { RecordedSteps } from "./recorded-steps.tsx";
import { TypeBar } from "./type-bar.tsx";

interface RecorderProps {
  readonly recording: Recording;
  readonly onRecorded: () => void;
  /** What ends the recording. */
  readonly children: ComponentChildren;
}

/** As many as a demonstration has; the trajectory has them all. */
const shownMax = 100;

/** The desktop to work on, and beside it what has been recorded. */
export function Recorder({ recording, onRecorded, children }: RecorderProps) {
  const { id, machine_id, workflow_id, status, input_names, element_count } = recording;
  const can = useCan();
  const machine = useCall("getMachine", { path: { machine_id } }, { topics: [`machine:${machine_id}`] });
  const workflow = useCall(
    "getWorkflow",
    { path: { workflow_id: workflow_id ?? "" } },
    { isOff: workflow_id === null },
  );
  const skip = Math.max(0, element_count - shownMax);
  const steps = useCall("listRecordedSteps", { path: { recording_id: id }, query: { skip, limit: 100 } });
  const isOn = status === "recording" && can("write");
  const known = namesOf(workflow.data?.input_schema ?? null);
  const named = readPrompt(workflow.data?.main_prompt ?? "", known, false).names;
  const inputs = [
    ...new Set([
      ...input_names,
      ...known,
      ...named.filter(({ isSecret }) => !isSecret).map(({ name }) => name),
    ]),
  ];
  const recorded = () => {
    void steps.reload();
    onRecorded();
  };
  return (
    <div class="recorder">
      <div>
        {machine.data === undefined || !isOn ? null : (
          <>
            {machine.data.programs.length > 0 && element_count === 0 ? (
              <OpenPrograms machineId={machine_id} programs={machine.data.programs} onOpened={recorded} />
            ) : null}
            <LiveScreen
              machineId={machine_id}
              name={machine.data.name || "the desktop"}
              isConnected={machine.data.status === "connected"}
              canAct={isOn}
              isStepwise
              onAction={recorded}
            >
              {(input) => (
                <TypeBar
                  inputs={inputs}
                  secrets={Object.keys(machine.data?.machine_sensitive_parameters ?? {})}
                  onText={input.send}
                />
              )}
            </LiveScreen>
          </>
        )}
      </div>
      <aside class="panel" aria-label="What was recorded">
        <h2>{element_count === 0 ? "Nothing recorded yet" : countOf(element_count, "step")}</h2>
        <RecordedSteps steps={steps} recordingId={id} />
        {isOn ? (
          <p class="hint">
            Do the work as always, from beginning to end, and leave the desktop as you found it: then it can
            be done again right away. What differs from run to run, type as an input.
          </p>
        ) : null}
        {children}
      </aside>
    </div>
  );
}
