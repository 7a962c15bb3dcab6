import type { RunStep } from "../../../../shared/contract/run/run-step.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Status } from "../parts/status.tsx";
import { duration } from "../parts/time-words.ts";
import { ExpectedAndSeen } from "./expected-and-seen.tsx";
import { actionWords, pointsOf } from "./run-words.ts";
import { StepPicture } from "./step-picture.tsx";

interface StepDialogProps {
  readonly runId: string;
  readonly steps: readonly RunStep[];
  /** The step that is shown; undefined: none. */
  readonly index: number | undefined;
  readonly onIndex: (index: number) => void;
  readonly onClose: () => void;
}

/** One step, whole: the screen before and after it, and what was looked for. */
export function StepDialog({ runId, steps, index, onIndex, onClose }: StepDialogProps) {
  const at = steps.findIndex((step) => step.index === index);
  const step = steps[at];
  if (step === undefined) return null;
  const [before, after] = [steps[at - 1], steps[at + 1]];
  return (
    <Dialog title={`Step ${step.index}: ${actionWords(step.action)}`} onClose={onClose} isWide>
      <nav class="actions" aria-label="Steps">
        <Button
          text="Step before"
          disabled={before === undefined}
          onClick={() => before && onIndex(before.index)}
        />
        <Button
          text="Next step"
          disabled={after === undefined}
          onClick={() => after && onIndex(after.index)}
        />
      </nav>
      <StepFacts step={step} />
      {step.expected === null ? null : <ExpectedAndSeen key={step.index} runId={runId} step={step} />}
      <div class="step-pictures">
        {before?.screenshot ? (
          <figure>
            <StepPicture
              runId={runId}
              step={before}
              points={pointsOf(step.action)}
              alt={`The screen before step ${step.index}`}
            />
            <figcaption>before</figcaption>
          </figure>
        ) : null}
        {step.screenshot === null ? null : (
          <figure>
            <StepPicture runId={runId} step={step} alt={`The screen after step ${step.index}`} />
            <figcaption>after</figcaption>
          </figure>
        )}
      </div>
      <details>
        <summary>The action as it was sent</summary>
        <pre>{JSON.stringify(step.action, null, 2)}</pre>
      </details>
    </Dialog>
  );
}

function StepFacts({ step }: { readonly step: RunStep }) {
  const { match, usage } = step;
  return (
    <Facts
      of={{
        Outcome: (
          <>
            <Status value={step.status} /> {step.error}
          </>
        ),
        "Decided by": `${step.source} ${step.model === null ? "" : `(${step.model})`}`,
        Words: step.text,
        Seen: match && (
          <>
            {match.reason === null ? "found" : match.reason.replaceAll("_", " ")}: likeness{" "}
            {match.score.toFixed(3)} (next best {match.second_best.toFixed(3)}), moved by {match.moved_by.dx},{" "}
            {match.moved_by.dy}; waited {duration(match.waited_ms)}
          </>
        ),
        Tokens:
          usage &&
          `${usage.input_tokens} read (${usage.cached_tokens} cached), ${usage.output_tokens} written`,
        Began: (
          <>
            <RelativeTime at={step.started_at} />
            {step.duration_ms === null ? "" : `, took ${duration(step.duration_ms)}`}
          </>
        ),
      }}
    />
  );
}
