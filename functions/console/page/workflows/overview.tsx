import type { Workflow } from "../../../../shared/contract/workflow.ts";
import { useCan } from "../data/service.ts";
import { useCall } from "../data/use-call.ts";
import { Empty } from "../parts/empty.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Show } from "../parts/show.tsx";
import { Status } from "../parts/status.tsx";
import { hrefOf } from "../shell/place.ts";
import { PromptText } from "./edit/prompt-text.tsx";
import { nextStep, type WorkStep } from "./next-step.ts";
import { ProgressSteps } from "./progress-steps.tsx";
import { TrajectoryCard } from "./trajectory/trajectory-card.tsx";

/** Of a workflow: its recordings, what it needs next, and its last runs. */
export function Overview({ workflow }: { readonly workflow: Workflow }) {
  const trajectories = useCall(
    "listTrajectories",
    { query: { workflow_id: workflow.id, limit: 20 } },
    { topics: ["runs"] },
  );
  return (
    <>
      <p class="card-prompt prompt-shown">
        <PromptText prompt={workflow.main_prompt} />
      </p>
      <Show of={trajectories}>
        {({ items, total }) => (
          <>
            <NextStep workflow={workflow} trajectories={items} />
            <h2>Recordings</h2>
            {items.length === 0 ? (
              <Empty text="Nobody has shown how it is done yet." />
            ) : (
              <ul class="cards" aria-label="Recordings">
                {items.map((trajectory) => (
                  <TrajectoryCard key={trajectory.id} trajectory={trajectory} />
                ))}
              </ul>
            )}
            {total > items.length ? (
              <p class="hint">{total - items.length} older ones are not shown.</p>
            ) : null}
          </>
        )}
      </Show>
      <LastRuns workflowId={workflow.id} />
    </>
  );
}

interface NextStepProps {
  readonly workflow: Workflow;
  readonly trajectories: Parameters<typeof nextStep>[0];
}

const nextWords: Readonly<Record<WorkStep, string>> = {
  describe: "Say what is to be done.",
  record: "Show it once on a desktop: each click and each text is recorded, with its picture.",
  verify: "Let it be done again, with another input: that shows that it works for others, too.",
  approve: "It is verified. Approve it, and runs repeat it.",
  run: "It repeats itself: start it with other inputs, here or by a program.",
};

function NextStep({ workflow, trajectories }: NextStepProps) {
  const can = useCan();
  const { step, trajectoryId } = nextStep(trajectories);
  const isWorkers = workflow.executor === "worker";
  const action =
    step === "record"
      ? ([hrefOf("recordings", undefined, { workflow_id: workflow.id }), "Record a demonstration"] as const)
      : step === "run"
        ? ([hrefOf("workflows", workflow.id, { view: "start" }), "Start a run"] as const)
        : ([
            hrefOf("trajectories", trajectoryId),
            step === "verify" ? "Look at it and verify" : "Approve it",
          ] as const);
  if (isWorkers) {
    return (
      <section class="panel next" aria-label="Next step">
        <p>A worker of your own carries out its runs: recordings are for whoever builds it.</p>
        {can("write") ? (
          <a class="button primary" href={hrefOf("workflows", workflow.id, { view: "start" })}>
            Start a run
          </a>
        ) : null}
      </section>
    );
  }
  return (
    <section class="panel next" aria-label="Next step">
      <ProgressSteps at={step} />
      <p>{nextWords[step]}</p>
      {can("write") ? (
        <div class="actions">
          <a class="button primary" href={action[0]}>
            {action[1]}
          </a>
          {step === "record" ? null : (
            <a class="button" href={hrefOf("recordings", undefined, { workflow_id: workflow.id })}>
              Record another one
            </a>
          )}
          {step === "run" ? null : (
            <a class="button" href={hrefOf("workflows", workflow.id, { view: "start" })}>
              {workflow.model_configuration_id || workflow.model_metadata
                ? "Let the model do it"
                : "Start a run"}
            </a>
          )}
        </div>
      ) : null}
    </section>
  );
}

function LastRuns({ workflowId }: { readonly workflowId: string }) {
  const runs = useCall("listRuns", { query: { workflow_id: workflowId, limit: 5 } }, { topics: ["runs"] });
  return (
    <section aria-label="Last runs">
      <h2>Last runs</h2>
      <Show of={runs}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p class="hint">None yet.</p>
          ) : (
            <>
              <ul class="last-runs">
                {items.map(({ id, status, created_at, error_code }) => (
                  <li key={id}>
                    <Status value={status} />
                    <a href={hrefOf("runs", id)}>
                      <RelativeTime at={created_at} />
                    </a>
                    {error_code === null ? null : <small>{error_code}</small>}
                  </li>
                ))}
              </ul>
              {total > items.length ? (
                <a href={hrefOf("runs", undefined, { workflow_id: workflowId })}>All {total} runs</a>
              ) : null}
            </>
          )
        }
      </Show>
    </section>
  );
}
