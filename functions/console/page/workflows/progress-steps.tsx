import { stepTitles, type WorkStep, workSteps } from "./next-step.ts";

/** Where a workflow is on its way. */
export function ProgressSteps({ at }: { readonly at: WorkStep }) {
  const current = workSteps.indexOf(at);
  return (
    <ol class="way" aria-label="From words to a workflow that repeats itself">
      {workSteps.map((step, place) => (
        <li
          key={step}
          class={place < current ? "way-done" : place === current ? "way-now" : undefined}
          aria-current={place === current ? "step" : undefined}
        >
          <span class="way-number" aria-hidden="true">
            {place < current ? "✓" : place + 1}
          </span>
          {stepTitles[step]}
          {place < current ? <span class="announced"> (done)</span> : null}
        </li>
      ))}
    </ol>
  );
}
