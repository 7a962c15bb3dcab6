import type { RunResponse } from "../../../../shared/contract/run/run.ts";
import { Facts } from "../parts/facts.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Status } from "../parts/status.tsx";
import { duration } from "../parts/time-words.ts";
import { hrefOf } from "../shell/place.ts";

interface RunFactsProps {
  readonly run: RunResponse;
  readonly names: ReadonlyMap<string, string>;
}

export function RunFacts({ run, names }: RunFactsProps) {
  const { machine_id, progress, session_id, waiting_reason, queue_position, error, error_code } = run;
  return (
    <section class="panel" aria-label="State">
      {error.length === 0 ? null : (
        <div class="failure">
          <p>
            {error.join(" ")} {error_code === null ? null : <small>{error_code}</small>}
          </p>
        </div>
      )}
      {progress === null ? null : (
        <label class="run-progress">
          Step {progress.step} of {progress.of}: {progress.last_action}
          <progress value={progress.step} max={progress.of} />
        </label>
      )}
      <Facts
        of={{
          Status: (
            <>
              <Status value={run.status} />
              {waiting_reason === null ? "" : `, ${waiting_reason.replaceAll("_", " ")}`}
              {queue_position === null
                ? ""
                : queue_position === 0
                  ? ", the next in line"
                  : `, ${queue_position} ahead of it`}
            </>
          ),
          Workflow: (
            <a href={hrefOf("workflows", run.workflow_id)}>
              {names.get(run.workflow_id) ?? "a deleted workflow"}
            </a>
          ),
          Machine:
            machine_id === null ? (
              "none yet"
            ) : (
              <a href={hrefOf("machines", machine_id)}>{names.get(machine_id) ?? "a deleted machine"}</a>
            ),
          Session: session_id && (
            <a href={hrefOf("runs", undefined, { session_id })}>{run.session_alias ?? session_id}</a>
          ),
          Created: <RelativeTime at={run.created_at} />,
          Began: run.ended_at === null && run.started_at && <RelativeTime at={run.started_at} />,
          Took:
            run.ended_at && run.started_at && duration(Date.parse(run.ended_at) - Date.parse(run.started_at)),
          Id: <code>{run.id}</code>,
        }}
      />
    </section>
  );
}
