import { useState } from "preact/hooks";
import type { RunStep } from "../../../../shared/contract/run/run-step.ts";
import { useCall } from "../data/use-call.ts";
import { Empty } from "../parts/empty.tsx";
import { Pager, pageSize, useSkip } from "../parts/list/pager.tsx";
import { Show } from "../parts/show.tsx";
import { Status } from "../parts/status.tsx";
import { duration } from "../parts/time-words.ts";
import { actionWords, pointsOf } from "./run-words.ts";
import { StepDialog } from "./step-dialog.tsx";
import { StepPicture } from "./step-picture.tsx";

interface FilmStripProps {
  readonly runId: string;
  /** An ended run has no further steps. */
  readonly isOver: boolean;
}

/** Progress raises no hint of its own while the service has no viewer's socket. */
const everyMs = 5_000;

export function FilmStrip({ runId, isOver }: FilmStripProps) {
  const skip = useSkip();
  const steps = useCall(
    "listRunSteps",
    { path: { run_id: runId }, query: { limit: pageSize, skip } },
    { topics: [`run:${runId}`], ...(!isOver && { everyMs }) },
  );
  const [opened, setOpened] = useState<number | undefined>();
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      <Show of={steps}>
        {({ items, total, summary }) =>
          total === 0 ? (
            <Empty
              text={isOver ? "The run has no steps: none was begun, or they have expired." : "No step yet."}
            />
          ) : (
            <>
              {summary === null ? null : <p>{summary}</p>}
              <ol class="film-strip">
                {items.map((step, at) => (
                  <li key={step.index}>
                    <StepCard
                      runId={runId}
                      step={step}
                      before={items[at - 1]}
                      onOpen={() => setOpened(step.index)}
                    />
                  </li>
                ))}
              </ol>
              <Pager skip={skip} shown={items.length} total={total} words={["Earlier", "Later"]} />
              <StepDialog
                runId={runId}
                steps={items}
                index={opened}
                onIndex={setOpened}
                onClose={() => setOpened(undefined)}
              />
            </>
          )
        }
      </Show>
    </section>
  );
}

interface StepCardProps {
  readonly runId: string;
  readonly step: RunStep;
  readonly before: RunStep | undefined;
  readonly onOpen: () => void;
}

function StepCard({ runId, step, before, onOpen }: StepCardProps) {
  const points = pointsOf(step.action);
  // A point belongs to the screen on which it was chosen.
  const shown = points.length > 0 && before?.screenshot ? before : step;
  const words = actionWords(step.action);
  return (
    <button type="button" class="step" onClick={onOpen}>
      <StepPicture runId={runId} step={shown} points={points} alt="" />
      <span class="step-words">
        <strong>{step.index}</strong> {words}
      </span>
      <span class="step-marks">
        {step.status === "done" ? null : <Status value={step.status} />}
        <small>{step.source}</small>
        {step.match === null || step.match.reason !== null ? null : (
          <small title="How alike the recorded place and the one found are">
            found, {Math.floor(step.match.score * 100)} % alike
          </small>
        )}
        {step.duration_ms === null ? null : <small>{duration(step.duration_ms)}</small>}
      </span>
    </button>
  );
}
