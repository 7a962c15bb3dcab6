import type { RunResponse } from "../../../../shared/contract/run/run.ts";

/** Inputs, the names of secret ones, the output and the usage. */
export function RunValues({ run }: { readonly run: RunResponse }) {
  const secrets = Object.keys(run.sensitive_input_aliases);
  return (
    <section aria-labelledby="values">
      <h2 id="values">Inputs and output</h2>
      <dl class="facts panel">
        {run.main_prompt === null ? null : (
          <>
            <dt>Task</dt>
            <dd class="lines">{run.main_prompt}</dd>
          </>
        )}
        <dt>Inputs</dt>
        <dd>
          <Values values={run.input_values} />
        </dd>
        {secrets.length === 0 ? null : (
          <>
            <dt>Secret inputs</dt>
            <dd>{secrets.join(", ")}</dd>
          </>
        )}
        <dt>Output</dt>
        <dd>{run.output_data === null ? "–" : <Json value={run.output_data} />}</dd>
        {run.usage_metadata === null ? null : (
          <>
            <dt>Usage</dt>
            <dd>
              <Values values={run.usage_metadata} />
            </dd>
          </>
        )}
        {Object.keys(run.metadata).length === 0 ? null : (
          <>
            <dt>Metadata</dt>
            <dd>
              <Values values={run.metadata} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Values({ values }: { readonly values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <>–</>;
  return (
    <ul class="values">
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code> {typeof value === "string" ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  );
}

function Json({ value }: { readonly value: unknown }) {
  return <pre>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>;
}
