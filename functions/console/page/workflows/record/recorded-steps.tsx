import { useEffect, useRef } from "preact/hooks";
import { useKeptPicture } from "../../data/use-kept-picture.ts";
import { PromptText } from "../edit/prompt-text.tsx";
import { elementView, pictureOf, textOf, wordsOf } from "../trajectory/element-view.ts";
import type { ShownStep } from "./shown-steps.ts";

interface RecordedStepsProps {
  readonly steps: readonly ShownStep[];
  readonly recordingId: string;
}

/** Actions as they are recorded, the newest in view. */
export function RecordedSteps({ steps, recordingId }: RecordedStepsProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [steps.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard.
    <ol class="recorded" ref={list} tabIndex={0} aria-label="Recorded steps">
      {steps.map((step) => (
        <li key={step.index}>
          <StepWords step={step} recordingId={recordingId} />
        </li>
      ))}
    </ol>
  );
}

interface StepWordsProps {
  readonly step: ShownStep;
  readonly recordingId: string;
}

function StepWords({ step: { action, problem, seenAt }, recordingId }: StepWordsProps) {
  const view = elementView({ action });
  const text = view && textOf(view);
  const [point] = view?.points ?? [];
  const cutout =
    point === undefined || seenAt === undefined ? undefined : (
      <Cutout path={pictureOf({ recordingId, index: seenAt })} x={point.x} y={point.y} />
    );
  return (
    <>
      <PromptText prompt={view === undefined ? String(action.type) : wordsOf(view, cutout === undefined)} />
      {text === undefined ? null : (
        <>
          {" "}
          <code>
            <PromptText prompt={text.slice(0, 100)} />
          </code>
        </>
      )}
      {cutout}
      {problem === undefined ? null : <small class="frame-problem"> left out: {problem}</small>}
    </>
  );
}

/** What lay at a place, so that a person knows it again. */
function Cutout({ path, x, y }: { readonly path: string; readonly x: number; readonly y: number }) {
  const { url } = useKeptPicture(path);
  return (
    <span class="cutout">
      {url === undefined ? null : (
        <img src={url} alt="" draggable={false} style={{ transform: `translate(${-x}px, ${-y}px)` }} />
      )}
      <span class="shot-point" aria-hidden="true" />
    </span>
  );
}
