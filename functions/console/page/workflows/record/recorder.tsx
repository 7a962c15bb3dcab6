import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Recording } from "../../../../../shared/contract/recording.ts";
import { useCan } from "../../data/service.ts";
import { useCall } from "../../data/use-call.ts";
import { Show } from "../../parts/show.tsx";
import { LiveScreen } from "../../screen/live-screen.tsx";
import { countOf } from "../count-of.ts";
import { readPrompt } from "../edit/prompt-names.ts";
import { namesOf } from "../edit/schema-rows.ts";
import { OpenPrograms } from "./open-programs.tsx";
import { RecordedSteps } from "./recorded-steps.tsx";
import { shownSteps } from "./shown-steps.ts";
import { TypeBar } from "./type-bar.tsx";
import { useMaker } from "./use-maker.ts";

interface RecorderProps {
  readonly recording: Recording;
  readonly onRecorded: () => void;
  readonly onBusy: (isBusy: boolean) => void;
  /** What ends the recording. */
  readonly children: ComponentChildren;
}

/** As many as a demonstration has; the trajectory has them all. */
const shownMax = 100;

/** The desktop to work on, and beside it what has been recorded. */
export function Recorder({ recording, onRecorded, onBusy, children }: RecorderProps) {
  const { id, machine_id, workflow_id, status, input_names, element_count } = recording;
  const can = useCan();
  const { isMaker } = useMaker(recording);
  const machine = useCall("getMachine", { path: { machine_id } }, { topics: [`machine:${machine_id}`] });
  const poolIds = machine.data?.pools.map(({ id: poolId }) => poolId) ?? [];
  const pools = useCall("listPools", { query: { limit: 100 } }, { isOff: poolIds.length === 0 });
  const itsPools = pools.data?.items.filter((pool) => poolIds.includes(pool.id)) ?? [];
  const workflow = useCall(
    "getWorkflow",
    { path: { workflow_id: workflow_id ?? "" } },
    { isOff: workflow_id === null },
  );
  const skip = Math.max(0, element_count - shownMax);
  const steps = useCall("listRecordedSteps", { path: { recording_id: id }, query: { skip, limit: 100 } });
  const isOn = status === "recording" && can("write") && isMaker;
  const known = namesOf(workflow.data?.input_schema ?? null);
  const named = readPrompt(workflow.data?.main_prompt ?? "", known, false).names;
  const inputs = [
    ...new Set([
      ...input_names,
      ...known,
      ...named.filter(({ isSecret }) => !isSecret).map(({ name }) => name),
    ]),
  ];
  const secrets = [
    ...new Set([
      ...Object.keys(machine.data?.machine_sensitive_parameters ?? {}),
      ...itsPools.flatMap(({ pool_sensitive_parameters }) => Object.keys(pool_sensitive_parameters)),
    ]),
  ];
  const recorded = () => {
    void steps.reload();
    onRecorded();
  };
  const root = useRef<HTMLDivElement>(null);
  const toDesktop = () => root.current?.querySelector<HTMLElement>(".live-screen-input")?.focus();
  const shown = shownSteps(steps.data?.items ?? []);
  return (
    <div class="recorder" ref={root}>
      <div>
        {machine.data === undefined || !isOn ? null : (
          <LiveScreen
            machineId={machine_id}
            name={machine.data.name || "the desktop"}
            isConnected={machine.data.status === "connected"}
            canAct={isOn}
            isStepwise
            onAction={recorded}
            onBusy={onBusy}
          >
            {(input) => (
              <TypeBar
                inputs={inputs}
                secrets={secrets}
                onText={(typed) => {
                  input.send(typed);
                  toDesktop();
                }}
              />
            )}
          </LiveScreen>
        )}
      </div>
      <aside class="panel" aria-label="What was recorded">
        <h2>{shown.length === 0 ? "Nothing recorded yet" : countOf(skip + shown.length, "step")}</h2>
        {isOn && shown.length === 0 ? (
          <OpenPrograms
            machineId={machine_id}
            programs={machine.data?.programs ?? []}
            onOpened={() => {
              // The button goes with the first step.
              toDesktop();
              recorded();
            }}
          />
        ) : null}
        {children}
        <Show of={steps}>{() => <RecordedSteps steps={shown} recordingId={id} />}</Show>
        {isOn ? (
          <ul class="hint">
            <li>Work as always, from beginning to end.</li>
            <li>What differs from run to run, type below the screen, as an input.</li>
            <li>Something went wrong? Go on: steps can be changed and removed afterwards.</li>
          </ul>
        ) : null}
      </aside>
    </div>
  );
}
